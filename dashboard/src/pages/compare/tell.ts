import type { Condition } from '../../parts/condition.ts'
import { apart } from './apart.ts'
import type { Change } from './diff.ts'

/* What a person would say changed: of a row of a view, what it was and what it is. */

export type Group = 'worse' | 'settled' | 'came' | 'went' | 'changed' | 'routine'

export interface Side {
  readonly is: Condition
  readonly words: string
}

export interface Told {
  readonly group: Group
  readonly subject: string
  /** Absent where it was not there. */
  readonly before?: Side
  readonly after?: Side
  readonly because?: string
}

type Row = Readonly<Record<string, unknown>>
type Teller = (change: Change, then: Row, now: Row) => Told | undefined

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** States of all workflows, as they are seen. */
const conditions: Readonly<Record<string, Condition>> = {
  ...{ verified: 'well', baselined: 'well', accepted: 'well', completed: 'well', indexed: 'well' },
  ...{ failed: 'wrong', lost: 'wrong', suspect: 'needs somebody', late: 'needs somebody' },
  ...{ parked: 'held', held: 'held', withdrawn: 'held', open: 'wrong', closed: 'well' },
}

const sideOf = (state: unknown): Side => ({
  is: conditions[text(state)] ?? 'idle',
  words: text(state) || 'none',
})

const severity: readonly Condition[] = ['well', 'idle', 'held', 'needs somebody', 'wrong']

/** A state that changed for the worse, or back to well. */
const moved = (then: unknown, now: unknown): Group => {
  const [before, after] = [sideOf(then).is, sideOf(now).is]
  if (severity.indexOf(after) > severity.indexOf(before) && (after === 'wrong' || after === 'needs somebody'))
    return 'worse'
  if (after === 'well' && before !== 'well') return 'settled'
  return 'changed'
}

/** Rows that are told by their state. */
const byState =
  (subject: (row: Row) => string, because: (row: Row) => string = () => ''): Teller =>
  ({ kind }, then, now) => {
    if (kind === 'came')
      return {
        group: sideOf(now.state).is === 'wrong' ? 'worse' : 'came',
        subject: subject(now),
        after: sideOf(now.state),
        because: because(now),
      }
    if (kind === 'went') return { group: 'went', subject: subject(then), before: sideOf(then.state) }
    if (then.state === now.state) return { group: 'routine', subject: subject(now), ...routine(then, now) }
    return {
      group: moved(then.state, now.state),
      subject: subject(now),
      before: sideOf(then.state),
      after: sideOf(now.state),
      because: because(now),
    }
  }

/** The state stayed: what is due moved. */
const routine = (then: Row, now: Row): Partial<Told> =>
  typeof then.due === 'string' && typeof now.due === 'string' && then.due !== now.due
    ? { after: { is: sideOf(now.state).is, words: `${text(now.state)}, due ${apart(then.due, now.due)}` } }
    : {}

const finding: Teller = (_, then, now) =>
  now.status === 'closed' && then.status !== 'closed'
    ? {
        group: 'settled',
        subject: `${text(now.store)}/${text(now.path)}`,
        before: sideOf('open'),
        after: { is: now.how === 'lost' ? 'wrong' : 'well', words: text(now.how) },
        because: [text(now.actor), text(now.reason)].filter(Boolean).join(': '),
      }
    : undefined

const came =
  (subject: (row: Row) => string, words: (row: Row) => string): Teller =>
  ({ kind }, then, now) => ({
    group: kind,
    subject: subject(kind === 'went' ? then : now),
    ...(kind !== 'came' && { before: { is: 'idle', words: words(then) } }),
    ...(kind !== 'went' && { after: { is: 'idle', words: words(now) } }),
  })

/** Views whose rows people speak of; the others are told by their columns alone. */
const tellers: Readonly<Record<string, Teller>> = {
  'fixity-items': byState(
    ({ store, path }) => `${text(store)}/${text(path)}`,
    ({ because }) => text(because),
  ),
  'fixity-resolutions': finding,
  'fixity-stores': came(
    ({ store }) => `store ${text(store)}`,
    ({ intervalDays, awaySince }) => `checked every ${text(intervalDays)} days${awaySince ? ', away' : ''}`,
  ),
  'ingest-batches': byState(
    ({ number, batch, title }) => `batch ${text(number) || text(batch)}${title ? `, ${text(title)}` : ''}`,
    ({ message }) => text(message),
  ),
  'ingest-jobs': byState(
    ({ job, title }) => `job ${text(job)}${title ? `, ${text(title)}` : ''}`,
    ({ message }) => text(message),
  ),
  'ingest-objects': came(
    ({ object }) => text(object),
    ({ version, files }) => (version ? `version ${text(version)}, ${text(files)} files` : 'reserved'),
  ),
  'ingest-holds': came(
    ({ scope, collection }) => (scope === 'all' ? 'all ingest' : `the collection ${text(collection)}`),
    ({ actor, reason }) => `on hold by ${text(actor)}: ${text(reason)}`,
  ),
  'indexing-files': byState(
    ({ repository, name }) => `${text(repository)}/${text(name)}`,
    ({ because }) => text(because),
  ),
  'matching-works': came(
    ({ work }) => text(work),
    ({ title, state }) => text(title) || text(state),
  ),
  'research-findings': came(
    ({ episode, clip }) => `${text(clip)} in ${text(episode)}`,
    ({ matchCount }) => `heard ${text(matchCount)} times`,
  ),
  'dead-letters': came(
    ({ topic, partition, offset }) => `message ${text(partition)}:${text(offset)} of ${text(topic)}`,
    ({ reason, status }) => `${text(status)}: ${text(reason)}`,
  ),
}

export const told = Object.keys(tellers)

/** Undefined where nobody would speak of it. */
export const tell = (view: string, change: Change): Told | undefined =>
  tellers[view]?.(change, (change.before ?? {}) as Row, (change.after ?? {}) as Row)
