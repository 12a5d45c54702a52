import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Print } from '../../parts/print.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { batchAt } from './addresses.ts'

/** What became of a submission, as its depositor is told: to be printed, or sent on. */
const Report = ({ values }: PageProps) => {
  const batch = values.batch as string
  return (
    <article class="sheet">
      <h1>Report to the depositor</h1>
      <Answer of={useAnswer('/api/v1/ingest/batches/{batch}/report', { path: { batch } })}>
        {(report) => (
          <>
            <p class="verdict">{report.result}</p>
            {report.message !== null && (
              <p>
                <Name text={report.message} isWhole />
              </p>
            )}
            <dl class="facts">
              <dt>Submission</dt>
              <dd>
                <Name text={report.title ?? report.payload} />
              </dd>
              <dt>Batch</dt>
              <dd>
                {count(report.number ?? 0)} (<code class="name">{report.batch}</code>)
              </dd>
              <dt>Submitted</dt>
              <dd>
                <Time at={report.submittedAt} form="whole" /> by <Name text={report.submitter} />
              </dd>
              <dt>Finished</dt>
              <dd>{report.finishedAt === null ? 'not yet' : <Time at={report.finishedAt} form="whole" />}</dd>
              <dt>Objects</dt>
              <dd>
                {count(report.counts.completed)} stored, {count(report.counts.failed)} failed,{' '}
                {count(report.counts.pending)} under way
              </dd>
              <dt>Mail</dt>
              <dd>{report.mail === null ? 'none' : <Name text={report.mail} />}</dd>
            </dl>
            <Table
              caption="Its objects"
              none="There is none."
              rows={report.jobs}
              keyOf={({ job }) => String(job)}
              columns={[
                { title: 'Job', isNumber: true, cell: ({ job }) => count(job) },
                { title: 'Result', cell: ({ result }) => result },
                {
                  title: 'What',
                  cell: ({ title, localIds }) => <Name text={title ?? localIds.join(', ')} />,
                },
                {
                  title: 'Identifier',
                  cell: ({ ark, version }) =>
                    ark === null ? (
                      <span class="why">none</span>
                    ) : (
                      <>
                        <Name text={ark} />
                        {version !== null && `, version ${count(version)}`}
                      </>
                    ),
                },
                { title: 'Why', cell: ({ message }) => message !== null && <Name text={message} /> },
              ]}
            />
            {report.leftOut > 0 && <p>{count(report.leftOut)} more are left out here.</p>}
          </>
        )}
      </Answer>
      <div class="buttons">
        <Print />
        <Link to={batchAt(batch)}>The batch</Link>
      </div>
    </article>
  )
}

export default Report
