import fc from 'fast-check'
import type { Fact, Family } from '#src/domain/matching/graph/component.ts'
import { type Cause, type Group, graphStream } from '#src/domain/matching/graph/events.ts'
import { createGraph } from '#src/domain/matching/graph/graph.ts'
import { type SplitChange, splitIntoChanges, splitLimits } from '#src/domain/matching/graph/split.ts'
import type { WorkState } from '#src/domain/matching/work.ts'
import { catalogue, type Said, t } from './catalogue.ts'

/* Random logs as the real graph and its cut write them, for the properties that views and questions have. */

export const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G']

const id = fc.constantFrom(...ids.slice(0, 6))
const piece = fc.integer({ min: 1, max: 6 })
const said = fc.record({
  links: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
  state: fc.constantFrom<WorkState>('visible', 'visible', 'visible', 'invisible', 'deleted'),
  source: fc.constantFrom('archive', 'library'),
})
const say = fc.record({ kind: fc.constant('say' as const), id, said })
const others = [
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resend' as const), id }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flush' as const), piece }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const), piece }) },
] as const
const crash = fc.record({ kind: fc.constant('crash' as const), piece, kept: fc.nat(3) })

export type Step =
  | { readonly kind: 'say'; readonly id: string; readonly said: Said }
  | { readonly kind: 'resend'; readonly id: string }
  | { readonly kind: 'flush'; readonly piece: number }
  | { readonly kind: 'list'; readonly piece: number }
  | { readonly kind: 'crash'; readonly piece: number; readonly kept: number }

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: say }, ...others),
  { maxLength: 30 },
)
export const stepsWithCrashes: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: say }, ...others, { weight: 2, arbitrary: crash }),
  { maxLength: 30 },
)

/** The works that are one with each, after a change. */
export type Partition = ReadonlyMap<string, readonly string[]>

/** Plays steps; in the end all is published, and the second generation is listed where it was begun. */
export const matched = (played: readonly Step[]) => {
  const log = catalogue()
  let graph = createGraph()
  // What is applied from here on has causes.
  graph.take()
  const facts: Fact[] = []
  let causes = new Map<string, Cause>()
  /** Facts that have come into a whole change; placeholders that were published in a change that did not become whole. */
  let published = 0
  let inDoubt = new Set<string>()
  let version = 5000
  let cursor: number | undefined
  let hasSecond = false
  const partitions: { readonly version: number; readonly partition: Partition }[] = []

  const know = (work: string, type: Cause['type']) => {
    const { revision, state, links } = log.works.get(work)!
    facts.push({ id: work, revision, deleted: state === 'deleted', links })
    causes.set(work, { work, revision, type })
    return facts.at(-1)!
  }

  /** So few entries an event, and of small events so few an append, that there are changes of several. */
  const changesOf = (
    families: readonly Family[],
    dropped: readonly string[],
    entries: number,
  ): readonly SplitChange[] => {
    const maxAppendBytes = entries < 4 ? 500 : splitLimits.maxAppendBytes
    const limits = { ...splitLimits, maxEntries: entries, maxAppendBytes }
    return [...splitIntoChanges(families, new Map(causes), dropped, limits)]
  }

  /** One change; or its first events, and no more. */
  const write = (generation: number, change: SplitChange, kept = Number.POSITIVE_INFINITY) => {
    const parts = change.flat()
    for (const [part, held] of structuredClone(parts.slice(0, kept)).entries())
      log.record(graphStream(generation), {
        type: 'GraphChanged',
        data: {
          version,
          timeSent: t(0),
          through: '0',
          part,
          ...(part === parts.length - 1 && { parts: parts.length }),
          ...held,
        },
      })
  }

  const flush = (entries: number) => {
    if (graph.pending === 0) return
    const change = graph.take()
    const gone = [...inDoubt].filter((one) => !graph.componentOf(one))
    const dropped = [...new Set([...change.dropped, ...gone])].sort()
    for (const one of changesOf([...change.families], dropped, entries)) {
      version++
      for (const generation of hasSecond ? [1, 2] : [1]) write(generation, one)
      told(one)
    }
    causes = new Map()
    published = facts.length
    inDoubt = new Set()
  }

  const told = (change: SplitChange) => {
    const partition = new Map(partitions.at(-1)?.partition)
    const groups = change.flat().flatMap((part) => part.groups)
    for (const pieces of Map.groupBy(groups, ({ component }) => component).values()) {
      const members = pieces.flatMap((piece) => piece.members.map(([member]) => member))
      for (const work of members) partition.set(work, members)
    }
    partitions.push({ version, partition })
  }

  /** The first events of a change are written; whoever comes next knows the facts, and what was published to whom. */
  const die = (entries: number, kept: number) => {
    if (graph.pending === 0) return
    const change = graph.take()
    const groups: Group[] = []
    let left = kept
    for (const one of changesOf([...change.families], change.dropped, entries)) {
      if (left === 0) break
      version++
      const parts = one.flat()
      write(1, one, left)
      if (left >= parts.length) told(one)
      for (const part of parts.slice(0, left)) groups.push(...part.groups)
      left -= Math.min(left, parts.length)
    }
    graph = createGraph()
    for (const fact of facts.slice(0, published)) graph.apply(fact)
    graph.take()
    for (const { component, members, placeholders } of groups) {
      graph.touchTogether([component, ...members.map(([work]) => work)])
      for (const one of placeholders) inDoubt.add(one)
    }
    for (const fact of facts.slice(published)) graph.apply(fact)
    if (cursor !== undefined) cursor = 0
  }

  /** The second generation is begun; then gets some components at a time. */
  const list = (entries: number) => {
    if (!hasSecond) {
      log.startGeneration(2)
      hasSecond = true
      cursor = 0
    } else if (cursor !== undefined) {
      const { components, next } = graph.list(cursor, 2)
      cursor = next
      const known = causes
      causes = new Map()
      for (const listed of changesOf(
        components.map((component) => ({ components: [component], links: [] })),
        [],
        entries,
      )) {
        version++
        write(2, listed)
      }
      causes = known
      if (next === undefined)
        log.record(graphStream(2), {
          type: 'GraphListed',
          data: { version, through: '0', components: components.length, at: t(0) },
        })
    }
  }

  for (const step of played)
    if (step.kind === 'say') {
      log.say(step.id, step.said)
      graph.apply(know(step.id, 'WorkObserved'))
    } else if (step.kind === 'resend') {
      if (!log.works.has(step.id)) continue
      log.resend(step.id)
      graph.touch(step.id, know(step.id, 'ResendRequested').revision)
    } else if (step.kind === 'flush') flush(step.piece)
    else if (step.kind === 'list') list(step.piece)
    else die(step.piece, step.kept)
  flush(1000)
  while (cursor !== undefined) list(1000)
  flush(1000)
  return { log, graph, partitions, generations: hasSecond ? [1, 2] : [1] }
}

export type Matched = ReturnType<typeof matched>
