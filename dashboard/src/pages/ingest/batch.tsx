import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { listed } from '../../api/view-rows.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { ProveThing } from '../../parts/prove.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { State } from '../../parts/state.tsx'
import { HistoryLink } from '../../parts/thing.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { bytes, count, plural, span } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { useNamed } from '../../shell/named.ts'
import { batchesAt, jobAt, reportAt } from './addresses.ts'
import { BatchActs } from './batch-acts.tsx'
import { type Job, jobChoosing, jobStates } from './job-choosing.ts'
import { standingOf } from './lanes.tsx'
import { Reasons } from './reasons.tsx'
import { StateChoice } from './state-choice.tsx'

type Batch = AnswerOf<'/api/v1/ingest/batches/{batch}'>

/** One submission: where it stands, its jobs, what it waits for, and its report. */
const BatchPage = ({ values }: PageProps) => {
  const batch = values.batch as string
  const asked = useAnswer('/api/v1/ingest/batches/{batch}', { path: { batch } })
  const known = asked.answered?.data
  const name = known?.title || `Batch ${known?.number ?? batch}`
  useNamed(known && name)
  return (
    <>
      <h1>
        <Name text={name} />
      </h1>
      <p>
        <Link to={batchesAt()}>All batches</Link>
      </p>
      <Answer of={asked}>
        {(found, at) => (
          <>
            <BatchFacts batch={found} />
            <BatchActs batch={found.batch} state={found.state} />
            <Jobs batch={found} />
            <p>
              <HistoryLink id={found.batch} /> <ProveThing id={found.batch} />
            </p>
            <AsOf at={at} />
          </>
        )}
      </Answer>
    </>
  )
}

const BatchFacts = ({ batch }: { readonly batch: Batch }) => {
  const { number, state, title, submitter, submittedAt, profile, collection, payload, message, report } =
    batch
  const [is, says] = standingOf(batch)
  return (
    <>
      <p class="condition">
        <State is={is} words={state} />: {says}.
      </p>
      {message !== null && batch.reasons.length === 0 && (
        <p>
          <Name text={message} isWhole />
        </p>
      )}
      {batch.blockedBy.length > 0 && (
        <p>
          Its report waits for held jobs alone:{' '}
          {batch.blockedBy.map((job) => (
            <Link key={job} to={jobAt(job)}>{`job ${job} `}</Link>
          ))}
        </p>
      )}
      <Reasons of={batch.reasons} isWhole />
      <dl class="facts">
        <dt>Number</dt>
        <dd>{number === null ? 'none yet' : count(number)}</dd>
        {title !== null && (
          <>
            <dt>Title</dt>
            <dd>
              <Name text={title} />
            </dd>
          </>
        )}
        <dt>Submitted</dt>
        <dd>
          <Time at={submittedAt} /> by <Name text={submitter} />, as <Name text={profile} /> in{' '}
          <Name text={collection} />
        </dd>
        <dt>Payload</dt>
        <dd>
          <Name text={payload} />
        </dd>
        <dt>Report</dt>
        <dd>
          {report === null ? (
            'not made yet: it is when no job is open any more'
          ) : (
            <>
              <Link to={reportAt(batch.batch)}>As its depositor is told</Link>, made <Time at={report.at} />,
              with mail: {report.mail}
            </>
          )}
        </dd>
      </dl>
    </>
  )
}

/** All of its jobs, or those of a state: `?state=…`. */
const Jobs = ({ batch: { batch } }: { readonly batch: Batch }) => {
  const state = jobStates.find((one) => one === useAddress().query.get('state'))
  const of = { batch, ...(state !== undefined && { state }) }
  return (
    <>
      <StateChoice states={jobStates} state={state} />
      <SavedViews />
      <WindowList<Job>
        name={JSON.stringify(of)}
        caption="Its jobs"
        none={
          state === undefined
            ? 'It has no job yet: they are made when its payload was read.'
            : `None of its jobs is ${state}.`
        }
        says={(total) => `${plural(total, 'job')}.`}
        ask={(page, signal) =>
          listed('jobs', get('/api/v1/ingest/jobs', { query: { ...of, ...page } }, signal))
        }
        keyOf={({ job }) => String(job)}
        columns={columns}
        choosing={jobChoosing}
      />
    </>
  )
}

const columns = [
  { title: 'Job', cell: ({ job }: Job) => <Link to={jobAt(job)}>{`job ${job}`}</Link> },
  { title: 'State', cell: (job: Job) => <JobState {...job} /> },
  {
    title: 'What',
    cell: ({ title, localIds }: Job) => <Name text={title ?? localIds.join(', ')} />,
  },
  {
    title: 'Size',
    cell: ({ bytes: size }: Job) => (size === null ? <span class="why">not known</span> : bytes(size)),
  },
  { title: 'Age', cell: ({ ageSeconds }: Job) => span(ageSeconds) },
  { title: 'Says', cell: (job: Job) => <Name text={saysOf(job)} /> },
]

const saysOf = ({ ark, message, holder }: Job): string =>
  [ark, message, holder === null ? null : `${holder} works on it`].filter((one) => one !== null).join('; ')

/** Waiting, under way and waiting for somebody never look alike. */
export const JobState = ({ state, holder }: Pick<Job, 'state' | 'holder'>) => {
  if (state === 'failed' || state === 'held') return <State is="needs somebody" words={state} />
  if (state === 'completed') return <State is="well" words={state} />
  if (state === 'deleted') return <State is="idle" words={state} />
  return holder === null ? (
    <State is="idle" words={`${state}: waits`} />
  ) : (
    <State is="well" words={`${state}: under way`} />
  )
}

export default BatchPage
