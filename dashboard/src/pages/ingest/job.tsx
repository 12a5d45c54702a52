import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { HistoryLink, historyAt } from '../../parts/thing.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { bytes, count, plural } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { batchAt } from './addresses.ts'
import { JobState } from './batch.tsx'
import { JobActs } from './job-acts.tsx'
import { NextJob } from './next-job.tsx'
import { Way } from './way.tsx'

type Job = AnswerOf<'/api/v1/ingest/jobs/{job}'>

/** One job: its way, why it does not move, and what a person may do. */
const JobPage = ({ values }: PageProps) => {
  const job = Number(values.job)
  return (
    <>
      <h1>{`Job ${values.job}`}</h1>
      <Answer of={useAnswer('/api/v1/ingest/jobs/{job}', { path: { job } })}>
        {(found, at) => (
          <>
            <p>
              <Link to={batchAt(found.batch)}>{`Batch ${found.batchNumber}`}</Link>
            </p>
            <p class="condition">
              <JobState {...found} />
            </p>
            {found.message !== null && (
              <p>
                <Name text={found.message} isWhole />
              </p>
            )}
            <Why job={job} />
            <JobActs job={job} state={found.state} isPermanent={found.permanent} />
            <NextJob job={job} />
            <Way job={found} />
            <JobFacts job={found} />
            <p>
              <HistoryLink id={String(job)} /> <ProveThing id={String(job)} />
            </p>
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

/** The reasons, the one that must go first comes first. */
const Why = ({ job }: { readonly job: number }) => (
  <Answer of={useAnswer('/api/v1/ingest/jobs/{job}/why', { path: { job } })}>
    {({ reasons }) => (
      <section aria-labelledby="why">
        <h2 id="why">Why it is where it is</h2>
        <ul>
          {reasons.map(({ kind, says, because, since }) => (
            <li key={`${kind} ${says}`}>
              <Name text={says} isWhole />
              {because !== undefined && !says.includes(because) && (
                <>
                  : <Name text={because} />
                </>
              )}
              {since !== undefined && (
                <>
                  , since <Time at={since} form="when" />
                </>
              )}
            </li>
          ))}
        </ul>
      </section>
    )}
  </Answer>
)

const JobFacts = ({ job }: { readonly job: Job }) => (
  <dl class="facts">
    <dt>Object</dt>
    <dd>
      {job.title !== null && <Name text={job.title} />}{' '}
      {job.ark === null ? 'no identifier yet' : <Name text={job.ark} to={historyAt(job.ark)} />}
      {job.version !== null && `, version ${count(job.version)}`}
    </dd>
    {job.localIds.length > 0 && (
      <>
        <dt>Called by its producer</dt>
        <dd>
          <Name text={job.localIds.join(', ')} />
        </dd>
      </>
    )}
    <dt>Submitted</dt>
    <dd>
      <Time at={job.createdAt} /> by <Name text={job.submitter} />, to <Name text={job.collection} />
    </dd>
    <dt>Payload</dt>
    <dd>
      <Name text={job.payload} /> ({job.type}, {job.mode})
    </dd>
    <dt>Size</dt>
    <dd>
      {job.bytes === null ? 'not known yet' : bytes(job.bytes)}
      {job.files !== null && `; stored ${plural(job.files, 'file')}, ${bytes(job.storedBytes ?? 0)}`}
    </dd>
    <dt>Its last move</dt>
    <dd>
      by <Actor text={job.actor} />
    </dd>
  </dl>
)

export default JobPage
