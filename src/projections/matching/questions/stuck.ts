import { count, plural } from '../../../domain/kernel/amounts.ts'
import { is, isSet, rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, SECOND } from '../../../domain/kernel/time.ts'
import type { Condition, Views } from '../../../domain/kernel/view.ts'
import { graphs, works } from '../../../domain/matching/views.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { GraphRow } from '../tables.ts'
import type { StuckLine } from './answers.ts'
import { generationOf, type OfGeneration } from './reading.ts'

interface StuckScope extends OfGeneration {
  /** How long an update may be on its way: 60 unless said. */
  readonly allowedSeconds?: number
  /** Most lines: 100 unless said. */
  readonly limit?: number
}

/** What a publisher has not put on its topic yet. */
interface Unsent {
  readonly topic: string
  /** Of the first: its work, or the smallest id of its first component. */
  readonly id: string
  readonly since: string
  /** Events that wait; `isCounted`: all of them. */
  readonly count: number
  readonly isCounted: boolean
}

/** Reads the log from where each publisher stands. Throws `UnavailableError`. */
export type FindUnsent = (stores: {
  readonly eventStore: EventStore
  readonly viewStore: ViewStore
}) => Promise<readonly Unsent[]>

/** M17: updates that were accepted and cannot be seen, and what is wrong at rest; the oldest first. */
export const stuck = (
  store: Views,
  now: string,
  { allowedSeconds = 60, limit = 100, ...of }: StuckScope = {},
  unsent: readonly Unsent[] = [],
): readonly StuckLine[] => {
  const generation = is('generation', generationOf(store, of))
  const before = addMillis(now, -allowedSeconds * SECOND)
  const older = <const Column extends string>(column: Column): Condition<Column> => ({
    column,
    is: '<',
    value: before,
  })
  const unmatched = rows(store, works, {
    where: [older('unmatchedSince')],
    orderBy: [{ column: 'unmatchedSince' }],
    limit,
  })
  const unindexed = rows(store, graphs, {
    where: [generation, older('waitingSince')],
    orderBy: [{ column: 'generation' }, { column: 'waitingSince' }],
    limit,
  })
  // One query for each kind: an index answers it at once.
  const wrong = faults.flatMap((what) =>
    rows(store, graphs, {
      where: [generation, is('fault', what)],
      orderBy: [{ column: 'generation' }, { column: 'fault' }],
      limit,
    }).map((graph) => faultLine(what, graph)),
  )
  return [
    ...unmatched.map(({ work, unmatchedSince }) => unmatchedLine(work, unmatchedSince ?? '')),
    ...unindexed.map(unindexedLine),
    ...wrong,
    ...unsent.filter(({ since }) => since < before).map(unsentLine),
  ]
    .sort((one, other) => (one.since < other.since ? -1 : one.since > other.since ? 1 : 0))
    .slice(0, limit)
}

/** Since when the longest-waiting work waits for the matcher, and the longest-waiting graph for the merger. */
export const oldestWaiting = (
  store: Views,
  of: OfGeneration = {},
): { readonly work: string | undefined; readonly graph: string | undefined } => {
  const generation = is('generation', generationOf(store, of))
  const [work] = rows(store, works, {
    where: [isSet('unmatchedSince')],
    orderBy: [{ column: 'unmatchedSince' }],
    limit: 1,
  })
  const [graph] = rows(store, graphs, {
    where: [generation, isSet('waitingSince')],
    orderBy: [{ column: 'generation' }, { column: 'waitingSince' }],
    limit: 1,
  })
  return { work: work?.unmatchedSince ?? undefined, graph: graph?.waitingSince ?? undefined }
}

export const faults = ['no-target', 'two-targets', 'astray'] as const

const repair = (id: string): string => `\`fonds matching resend ${id}\``

const unmatchedLine = (id: string, since: string): StuckLine => ({
  what: 'unmatched',
  id,
  since,
  says: `The last word on ${id} is in no graph yet; see that the matcher runs (role reactions), and if it does: ${repair(id)}.`,
})

const unindexedLine = ({ component, size, indexed, waitingSince }: GraphRow): StuckLine => {
  const id = component ?? ''
  const missing = (size ?? 0) - (indexed ?? 0)
  return {
    what: 'unindexed',
    id,
    since: waitingSince ?? '',
    says: `${count(missing)} of ${plural(size ?? 0, 'document')} of the graph of ${id} ${missing === 1 ? 'is' : 'are'} not written; see that the merger runs (role processors), and if it does: ${repair(id)}.`,
  }
}

const unsentLine = ({ topic, id, since, count: waiting, isCounted }: Unsent): StuckLine => {
  const many = isCounted ? plural(waiting, 'event') : `${count(waiting)} events or more`
  const wait = waiting === 1 ? 'is' : 'are'
  return {
    what: 'unsent',
    id,
    since,
    says: `${many} from that of ${id} on ${wait} not on ${topic} yet; see that the publishers run (role reactions) and that the broker takes messages: they are sent then.`,
  }
}

const faultLine = (what: (typeof faults)[number], graph: GraphRow): StuckLine => {
  const id = graph.component ?? ''
  const wrong = {
    'no-target': `${plural(graph.redirects ?? 0, 'work')} of the graph of ${id} redirect, and none of it is shown`,
    'two-targets': `The graph of ${id} is shown as ${plural(graph.merged ?? 0, 'work')} instead of one`,
    astray: `${plural(graph.astray ?? 0, 'work')} of the graph of ${id} redirect out of it`,
  }[what]
  return {
    what,
    id,
    since: graph.changedAt ?? '',
    says: `${wrong}; have its documents made again from the facts: ${repair(id)}.`,
  }
}
