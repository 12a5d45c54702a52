import { count, plural } from '../../../domain/kernel/amounts.ts'
import { areAll, countRows, is, isSet, pageOfRows, rows } from '../../../domain/kernel/read-views.ts'
import { addMillis, SECOND } from '../../../domain/kernel/time.ts'
import type { Condition, Views } from '../../../domain/kernel/view.ts'
import { graphs, works } from '../../../domain/matching/views.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { GraphRow } from '../tables.ts'
import type { StuckLine } from './answers.ts'
import { countOf, generationOf, memberRow, type OfGeneration } from './reading.ts'
import { titleReader } from './titles.ts'

interface StuckScope extends OfGeneration {
  /** Seconds that an update may be on its way: 60 unless said. */
  readonly allowedSeconds?: number
  /** This kind alone: then `offset` passes over as many. */
  readonly what?: StuckLine['what']
  /** This work and its graph alone. */
  readonly work?: string
  /** Most lines: 100 unless said. */
  readonly limit?: number
  readonly offset?: number
  /**
   * True if the question is as of a moment. The history has no index of stuck updates: a kind whose count was 0 then is
   * not queried.
   */
  readonly isPast?: boolean
}

/** Events that a publisher has not put on its topic yet. */
interface Unsent {
  readonly topic: string
  /** Id of the first event: its work, or the smallest id of its first component. */
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

interface Page {
  readonly limit: number
  readonly offset: number
}

type Untitled = Omit<StuckLine, 'title'>

/** Lines of a kind, the oldest first, and how many there are. */
interface Source {
  readonly what: StuckLine['what']
  readonly count: () => number
  readonly lines: (page: Page) => readonly Untitled[]
}

/** M17: updates that were accepted and are not visible yet, and faults at rest; the oldest first. */
export const stuck = (
  store: Views,
  now: string,
  { limit = 100, offset = 0, ...scope }: StuckScope = {},
  unsent: readonly Unsent[] = [],
): readonly StuckLine[] => {
  const titleOf = titleReader(store)
  return sourcesOf(store, now, scope, unsent)
    .flatMap(({ lines }) => lines({ limit, offset: scope.what === undefined ? 0 : offset }))
    .sort((one, other) => (one.since < other.since ? -1 : one.since > other.since ? 1 : 0))
    .slice(0, limit)
    .map((line) => ({ ...line, title: titleOf(line.id) }))
}

/** Number of stuck updates and faults of each kind that occurs. */
export const countStuck = (
  store: Views,
  now: string,
  scope: StuckScope = {},
  unsent: readonly Unsent[] = [],
): readonly { readonly what: StuckLine['what']; readonly count: number }[] =>
  sourcesOf(store, now, scope, unsent)
    .map(({ what, count }) => ({ what, count: count() }))
    .filter(({ count }) => count > 0)

const sourcesOf = (
  store: Views,
  now: string,
  { allowedSeconds = 60, what, work, isPast = false, ...of }: StuckScope,
  unsent: readonly Unsent[],
): readonly Source[] => {
  const number = generationOf(store, of)
  const generation = is('generation', number)
  const before = addMillis(now, -allowedSeconds * SECOND)
  const older = <const Column extends string>(column: Column): Condition<Column> => ({
    column,
    is: '<',
    value: before,
  })
  const inGraph =
    work === undefined ? [generation] : [generation, is('graph', memberRow(store, number, work)?.graph ?? 0)]
  const unmatched = [...areAll({ work }), older('unmatchedSince')]
  const unindexed = [...inGraph, older('waitingSince')]
  const late = unsent.filter(({ id, since }) => since < before && (work === undefined || id === work))
  const sources: readonly Source[] = [
    {
      what: 'unmatched',
      count: () => countRows(store, works, ...unmatched),
      lines: (page) =>
        pageOfRows(store, works, {
          where: unmatched,
          orderBy: [{ column: 'unmatchedSince' }],
          ...page,
        }).map(({ work, unmatchedSince }) => unmatchedLine(work, unmatchedSince ?? '')),
    },
    {
      what: 'unindexed',
      count: () => countRows(store, graphs, ...unindexed),
      lines: (page) =>
        pageOfRows(store, graphs, {
          where: unindexed,
          orderBy: [{ column: 'generation' }, { column: 'waitingSince' }],
          ...page,
        }).map(unindexedLine),
    },
    // One query for each kind: an index answers it at once.
    ...faults.map(
      (fault): Source => ({
        what: fault,
        count: () => countRows(store, graphs, ...inGraph, is('fault', fault)),
        lines: (page) =>
          pageOfRows(store, graphs, {
            where: [...inGraph, is('fault', fault)],
            orderBy: [{ column: 'generation' }, { column: 'fault' }],
            ...page,
          }).map((graph) => faultLine(fault, graph)),
      }),
    ),
    {
      what: 'unsent',
      count: () => late.length,
      lines: ({ limit, offset }) => late.slice(offset, offset + limit).map(unsentLine),
    },
  ]
  const isCounted = ({ what }: Source): boolean =>
    what === 'unsent' ||
    (what === 'unmatched'
      ? countOf(store, 0, 'works', 'unmatched')
      : countOf(store, number, 'graphs', what === 'unindexed' ? 'unindexed' : 'faulty')) > 0
  return sources
    .filter((source) => what === undefined || source.what === what)
    .filter((source) => !isPast || isCounted(source))
}

/** Times since when the longest-waiting work waits for the matcher, and the longest-waiting graph for the merger. */
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

const unmatchedLine = (id: string, since: string): Untitled => ({
  what: 'unmatched',
  id,
  since,
  says: `The last word on ${id} is in no graph yet; see that the matcher runs (role reactions), and if it does: ${repair(id)}.`,
})

const unindexedLine = ({ component, size, indexed, waitingSince }: GraphRow): Untitled => {
  const id = component ?? ''
  const missing = (size ?? 0) - (indexed ?? 0)
  return {
    what: 'unindexed',
    id,
    since: waitingSince ?? '',
    says: `${count(missing)} of ${plural(size ?? 0, 'document')} of the graph of ${id} ${missing === 1 ? 'is' : 'are'} not written; see that the merger runs (role processors), and if it does: ${repair(id)}.`,
  }
}

const unsentLine = ({ topic, id, since, count: waiting, isCounted }: Unsent): Untitled => {
  const many = isCounted ? plural(waiting, 'event') : `${count(waiting)} events or more`
  const wait = waiting === 1 ? 'is' : 'are'
  return {
    what: 'unsent',
    id,
    since,
    says: `${many} from that of ${id} on ${wait} not on ${topic} yet; see that the publishers run (role reactions) and that the broker takes messages: they are sent then.`,
  }
}

const faultLine = (what: (typeof faults)[number], graph: GraphRow): Untitled => {
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
