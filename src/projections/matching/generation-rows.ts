import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { GenerationEvent } from '../../domain/matching/generations/events.ts'
import type { GraphEvent } from '../../domain/matching/graph/events.ts'
import { defaultRules } from '../../domain/matching/merged/rules.ts'
import type { GenerationRow, MatchingTables } from './tables.ts'

type Change = Partial<Omit<GenerationRow, 'generation'>>
type Data<E extends { readonly type: string; readonly data: unknown }, Type extends E['type']> = Extract<
  E,
  { readonly type: Type }
>['data']

const changeGeneration = (tables: MatchingTables, generation: number, at: string, change: Change): void => {
  const before = tables['matching-generations'].get(generation)
  tables['matching-generations'].put({ ...(before ?? unknown(generation, at)), ...change })
}

/** Generation 1 exists without an event: its row is written with the first work, or the first event of a generation. */
export const beginning = (tables: MatchingTables, at: string): void => {
  if (!tables['matching-generations'].get(1)) tables['matching-generations'].put(unknown(1, at))
}

/** A number that no graph of the generation had before. */
export const nextGraph = (tables: MatchingTables, generation: number, at: string): number => {
  const lastGraph = (tables['matching-generations'].get(generation)?.lastGraph ?? 0) + 1
  changeGeneration(tables, generation, at, { lastGraph })
  return lastGraph
}

const unknown = (generation: number, at: string): GenerationRow => ({
  generation,
  status: generation === 1 ? 'live' : 'building',
  rules: defaultRules,
  components: null,
  lastGraph: 0,
  startedAt: at,
  listedAt: null,
  switchedAt: null,
  reason: null,
})

export const startGeneration = (
  tables: MatchingTables,
  { generation, rules, reason, at }: Data<GenerationEvent, 'GenerationStarted'>,
): void => {
  beginning(tables, at)
  changeGeneration(tables, generation, at, { rules, reason })
}

export const switchGeneration = (
  tables: MatchingTables,
  { generation, from, reason, at }: Data<GenerationEvent, 'GenerationSwitched'>,
): void => {
  const wasReady = from === 1 || isListed(tables, from)
  changeGeneration(tables, from, at, { status: wasReady ? 'ready' : 'building' })
  changeGeneration(tables, generation, at, { status: 'live', switchedAt: at, reason })
}

export const dropGeneration = (
  tables: MatchingTables,
  { generation, reason, at }: Data<GenerationEvent, 'GenerationDropped'>,
): void => changeGeneration(tables, generation, at, { status: 'dropped', reason })

/** True once it has all that there was when it was started. */
export const isListed = (tables: MatchingTables, generation: number): boolean =>
  typeof tables['matching-generations'].get(generation)?.listedAt === 'string'

/** The generation has every component. The live one stays live. */
export const listGeneration = (
  tables: MatchingTables,
  event: RecordedEvent,
  { components, at }: Data<GraphEvent, 'GraphListed'>,
): void => {
  const generation = Number(idOf(event.stream))
  const status = tables['matching-generations'].get(generation)?.status
  changeGeneration(tables, generation, at, {
    components,
    listedAt: at,
    ...(status === 'building' && { status: 'ready' }),
  })
}
