import { Link } from '../../address/use-address.tsx'
import { type Answer, get, post } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { Actor } from '../../parts/actor.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import type { Page } from '../../parts/window-list.tsx'
import { plural } from '../../parts/words.ts'
import { jobAt } from './addresses.ts'
import { BatchActs } from './batch-acts.tsx'
import { holdChoosing } from './hold-choosing.ts'
import { JobActs } from './job-acts.tsx'

/** What is on hold, by whom and why, each with the button that releases it. */
export const Holds = () => (
  <section aria-labelledby="holds">
    <h2 id="holds">Holds</h2>
    <Paged name="holds" caption="Holds" ask={holds}>
      {({ rows, total, isPaused }, page) => (
        <>
          <ActTable<Hold>
            {...page}
            total={total}
            choosing={holdChoosing}
            caption="What is on hold"
            none="Nothing is on hold."
            rows={rows}
            keyOf={({ kind, name }) => `${kind} ${name}`}
            columns={columns}
          />
          <Pause isPaused={isPaused} />
        </>
      )}
    </Paged>
  </section>
)

type Hold = Answer<'/api/v1/ingest/holds'>['holds'][number]

/** All ingest is the first of them: what says whether it is paused is asked for with every page. */
const holds = async (page: Page, signal: AbortSignal) => {
  const [{ data, at }, { data: first }] = await Promise.all([
    get('/api/v1/ingest/holds', { query: page }, signal),
    get('/api/v1/ingest/holds', { query: { limit: 1 } }, signal),
  ])
  return {
    data: {
      rows: data.holds,
      total: data.total,
      isPaused: first.holds.some(({ kind }) => kind === 'all'),
    },
    at,
  }
}

const columns: readonly Column<Hold>[] = [
  {
    title: 'What',
    cell: ({ kind, name }) => (
      <>
        {kind}{' '}
        {kind === 'job' ? (
          <Link to={jobAt(Number(name))}>{name}</Link>
        ) : (
          kind !== 'all' && <Name text={name} />
        )}
      </>
    ),
  },
  {
    title: 'Why',
    cell: ({ reason, batches, jobs }) => (
      <>
        <Name text={reason} />
        {batches + jobs > 0 && (
          <small>
            It holds {plural(batches, 'batch', 'batches')} and {plural(jobs, 'job')}.
          </small>
        )}
      </>
    ),
  },
  { title: 'By', cell: ({ actor }) => <Actor text={actor} /> },
  { title: 'Since', cell: ({ since }) => <Time at={since} form="when" /> },
  { title: 'What can be done', cell: ({ kind, name }) => <Release kind={kind} name={name} /> },
]

const Release = ({ kind, name }: { readonly kind: string; readonly name: string }) => {
  if (kind === 'batch') return <BatchActs batch={name} state="held" />
  if (kind === 'job') return <JobActs job={Number(name)} state="held" />
  if (kind !== 'collection') return <span class="why">It goes on below.</span>
  return (
    <div class="buttons">
      <Act
        verb="Release the collection"
        says={`Ends the hold on ${name}. What was held meanwhile is released apart.`}
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.release-collection', {
            body: { input: { collection: name }, ...by },
            key,
          })
        }
      />
      <Act
        verb="Release its jobs"
        says={`Releases all held jobs of ${name}.`}
        act={({ key, ...by }) =>
          post('/api/v1/commands/ingest.release-jobs', { body: { input: { collection: name }, ...by }, key })
        }
      />
    </div>
  )
}

const Pause = ({ isPaused }: { readonly isPaused: boolean }) => (
  <div class="buttons">
    {isPaused ? (
      <Act
        verb="Go on with all ingest"
        says="Lets all ingest go on."
        act={({ key, ...by }) => post('/api/v1/commands/ingest.unpause', { body: { input: {}, ...by }, key })}
      />
    ) : (
      <Act
        verb="Pause all ingest"
        says="Nothing more is begun; what runs finishes its step."
        act={({ key, ...by }) => post('/api/v1/commands/ingest.pause', { body: { input: {}, ...by }, key })}
      />
    )}
    <Link to="/do/ingest.hold-collection">Hold a collection</Link>
  </div>
)
