import type { Condition } from '../../parts/condition.ts'
import { State } from '../../parts/state.tsx'
import './ingest.css'
import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import type { Shown } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count, plural, span } from '../../parts/words.ts'
import { batchAt, batchesAt } from './addresses.ts'
import { nameOf } from './name-of.ts'
import { type Reason, Reasons } from './reasons.tsx'

type Lane = AnswerOf<'/api/v1/ingest/lanes'>['lanes'][number]
type Batch = Lane['batches'][number]

export const titles: Readonly<Record<Lane['state'], string>> = {
  pending: 'Waits to be read',
  held: 'Held',
  processing: 'Under way',
  reporting: 'Report is made',
  'update-reporting': 'Report is made anew',
  completed: 'Completed',
  failed: 'Failed',
  deleted: 'Cleared away',
}

/** These are shown when there is nothing in them, too: so the way is seen. */
const always: ReadonlySet<Lane['state']> = new Set(['pending', 'processing', 'completed'])

/** Batches by where they stand, from left to right the way they go. */
export const Lanes = ({ of }: { readonly of: Shown<AnswerOf<'/api/v1/ingest/lanes'>> }) => (
  <Answer of={of}>
    {({ lanes }, at) => (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <section class="lanes" tabIndex={0} aria-label="Batches by state">
          {lanes
            .filter(({ state, count }) => count > 0 || always.has(state))
            .map((lane) => (
              <LaneOf key={lane.state} lane={lane} />
            ))}
        </section>
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

const LaneOf = ({ lane: { state, count: all, batches } }: { readonly lane: Lane }) => (
  <section class="lane" aria-label={titles[state]}>
    <h3>
      {titles[state]} <small>{count(all)}</small>
    </h3>
    <ul class="in-lane">
      {batches.map((batch) => (
        <li key={batch.batch} class="batch-card">
          <Card batch={batch} />
        </li>
      ))}
    </ul>
    {all > batches.length && (
      <p>
        <Link to={batchesAt(state)}>All {count(all)}</Link>
      </p>
    )}
    {all === 0 && <p class="none">none</p>}
  </section>
)

const Card = ({ batch }: { readonly batch: Batch }) => {
  const { number, batch: id, title, file, submitter, ageSeconds, message, reasons } = batch
  const [is, says] = standingOf(batch)
  return (
    <>
      <Name text={title ?? nameOf(file)} to={batchAt(id)} />
      <p>
        <State is={is} words={says} />
      </p>
      {message !== null && reasons.length === 0 && (
        <p>
          <Name text={message} />
        </p>
      )}
      <Reasons of={reasons} />
      <p class="kind">
        {number === null ? 'no number yet' : `batch ${count(number)}`}, by <Name text={submitter} />,{' '}
        {span(ageSeconds)} ago
      </p>
    </>
  )
}

type Standing = Omit<Batch, 'reasons'> & { readonly reasons?: readonly Reason[] }

/** What it waits for. Nothing is well of which a job failed. */
export const standingOf = ({
  state,
  jobs,
  open,
  held,
  failed,
  completed,
  reasons = [],
}: Standing): readonly [Condition, string] => {
  if (failed > 0) return ['needs somebody', `${plural(failed, 'job')} of ${count(jobs)} failed`]
  if (state === 'failed') return ['needs somebody', 'failed']
  if (state === 'held') return ['needs somebody', 'waits to be released']
  if (held > 0 && held === open) return ['needs somebody', `${plural(held, 'held job')} to be released`]
  if (state === 'completed') return ['well', `${plural(completed, 'job')} completed`]
  if (state === 'deleted') return ['idle', 'cleared away']
  if (state === 'pending') return ['idle', 'its payload was not read yet']
  if (jobs === 0) return ['well', 'its payload is read']
  const done = `${count(jobs - open)} of ${plural(jobs, 'job')} done`
  const stuck = reasons.filter(({ never }) => never).reduce((sum, { ofJobs }) => sum + ofJobs, 0)
  if (stuck > 0) return ['needs somebody', `${done}, ${plural(stuck, 'job')} can never go on`]
  const waiting = reasons.reduce((sum, { ofJobs }) => sum + ofJobs, 0)
  if (reasons.length === 0) return ['well', done]
  return ['idle', `${done}, ${waiting > 0 && waiting < open ? 'some wait' : 'waits'}`]
}
