import type { Logger } from 'pino'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import { category as generationsCategory } from '../../domain/matching/generations/events.ts'
import type { CutLimits } from '../../domain/matching/graph/cut.ts'
import { type Cause, graphStream } from '../../domain/matching/graph/events.ts'
import type { Change, Component } from '../../domain/matching/graph/graph.ts'
import { byId } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import { changeAppends, listingAppends } from './appends.ts'
import { foldWork } from './facts.ts'
import { smallest, toldThrough } from './heads.ts'
import { foldGeneration, keepHeads } from './known-generations.ts'
import type { Loaded } from './load.ts'
import { type Append, Fenced, type Reason, type Writing, writing } from './writing.ts'

export interface TellingLimits {
  /** While the facts at hand are older than that, they are folded in and told later, all at once. */
  readonly farMillis: number
  /** So many facts are told, however far behind. */
  readonly mostUntold: number
  /** So many are told while more wait that are not so old: one by one, a component of n works would be told n times. */
  readonly toldTogether: number
  /** Works of a generation that is being listed, between one batch of facts and the next. */
  readonly listedAtOnce: number
  /** Works of a component that somebody should look at. */
  readonly alarmSize: number
  readonly cut: CutLimits
}

/** Facts on their way into the graph, and out of it as changes. After a failure the next call goes on where it was. */
export interface Telling {
  /** Resumes what was not finished. False as soon as `goesOn` says no; as all that write. Throws `Away`. */
  finish(goesOn: () => boolean): Promise<boolean>
  /** Gives the failure to read an event, which it stops before; what was folded in until then counts. */
  fold(batch: EventBatch): Away | undefined
  /** Whether all that waits is to be told now. Throws `Away`. */
  isDue(batch: EventBatch): boolean
  /** Writes a change of all that waits; then some of what the generations that are new were not told yet. */
  tell(goesOn: () => boolean): Promise<boolean>
  /** Nothing waits and nothing is half written. */
  isAtRest(): boolean
  /** Up to here nothing is left to be done. */
  reached(): bigint
}

export const telling = (
  loaded: Loaded,
  {
    eventStore,
    clock,
    log,
  }: { readonly eventStore: EventStore; readonly clock: Clock; readonly log: Logger },
  limits: TellingLimits,
): Telling => {
  const { graph, heads } = loaded
  let unfinished: Writing | undefined
  /** Of the facts that wait: the last one of each work, what the first of them leads to, how many there are. */
  let causes = new Map<string, Cause>()
  let reason: Reason | undefined
  let untold = 0
  let lastRecordedAt = ''
  /** How far the new generations are listed. */
  const listings = new Map<number, { readonly next: number; readonly components: number }>()

  const alarmed = new Set<string>()

  const finish: Telling['finish'] = async (goesOn) => {
    if (unfinished && !(await unfinished.finish(goesOn))) return false
    unfinished = undefined
    return true
  }

  const write = (appends: Iterator<Append>, reason: Reason, goesOn: () => boolean): Promise<boolean> => {
    unfinished = writing(appends, reason, heads, eventStore)
    return finish(goesOn)
  }

  const foldFact = (event: RecordedEvent): void => {
    const isTold = foldWork(graph, event)
    loaded.last = { work: idOf(event.stream), revision: Number(event.revision) }
    loaded.lastAt = event.position
    if (!isTold) return
    causes.set(loaded.last.work, { ...loaded.last, type: event.type })
    reason ??= { causationId: event.id, correlationId: event.metadata.correlationId }
    untold++
  }

  /** Some of the components that are left; behind the last of them, how many there were. */
  const list = (generation: number, goesOn: () => boolean): Promise<boolean> => {
    const listing = listings.get(generation) ?? { next: 0, components: 0 }
    const { components, next } = graph.list(listing.next, limits.listedAtOnce)
    const count = listing.components + components.length
    if (next === undefined) listings.delete(generation)
    else listings.set(generation, { next, components: count })
    const listed = next === undefined ? count : undefined
    const { reason } = loaded.known.began.get(generation)!
    return write(
      listingAppends(components, listed, generation, heads, clock.now(), limits.cut),
      reason,
      goesOn,
    )
  }

  /** Of works that are told again, without a fact of their own: what they were told before. */
  const told = (): Reason => {
    const id = [...heads.values()].find(({ revision }) => revision >= 0n)?.id ?? ''
    return { causationId: id, correlationId: id }
  }

  /** Of so many works: an error in the data far more often than one work. Said once, when it is first told. */
  function* alarming(components: Iterable<Component>): Generator<Component> {
    for (const component of components) {
      const [name] = component.members[0]!
      const works = component.members.length
      if (works >= limits.alarmSize && !alarmed.has(name)) {
        alarmed.add(name)
        log.warn(
          { component: name, works },
          'a component is too large to be one work; `fonds matching quality` lists such',
        )
      }
      yield component
    }
  }

  /** With the placeholders of an unfinished change that did not come again. */
  const droppingToo = ({ components, dropped }: Change): Pick<Change, 'components' | 'dropped'> => {
    const gone = loaded.doubtful.filter((id) => !graph.has(id))
    loaded.doubtful = []
    return { components: alarming(components), dropped: [...new Set([...dropped, ...gone])].sort(byId) }
  }

  /** Nobody else tells a generation that has just begun. */
  const learnHeads = async (): Promise<void> => {
    const known = new Set(heads.keys())
    await keepHeads(eventStore, loaded.known, heads)
    for (const [generation, { revision }] of heads)
      if (!known.has(generation) && revision >= 0n)
        throw new Fenced(`${graphStream(generation)} was written by another matcher`)
  }

  const isFar = (): boolean => millisBetween(lastRecordedAt, clock.now()) > limits.farMillis

  const isAtRest = () => !unfinished && graph.pending === 0

  return {
    finish,
    isAtRest,

    fold({ events, position }) {
      for (const event of events) {
        try {
          if (categoryOf(event.stream) === generationsCategory)
            loaded.known = foldGeneration(loaded.known, event)
          else foldFact(event)
        } catch (error) {
          if (error instanceof Away) return error
          throw error
        }
        loaded.folded = event.position
        loaded.unsaved++
        lastRecordedAt = event.recordedAt
      }
      loaded.folded = position
      return undefined
    },

    isDue: ({ caughtUp }) => caughtUp || untold >= (isFar() ? limits.mostUntold : limits.toldTogether),

    async tell(goesOn) {
      await learnHeads()
      if (graph.pending > 0) {
        const change = droppingToo(graph.take())
        const facts = { through: loaded.lastAt, last: loaded.last }
        const appends = changeAppends(change, causes, facts, heads, clock.now(), limits.cut)
        const why = reason ?? told()
        causes = new Map()
        reason = undefined
        untold = 0
        if (!(await write(appends, why, goesOn))) return false
      }
      for (const [generation, head] of heads)
        if (!head.listed && !(await list(generation, goesOn))) return false
      return true
    },

    reached() {
      if (!isAtRest()) return toldThrough(heads).through
      const building = [...loaded.known.generations.active.keys()].filter((one) => !heads.get(one)?.listed)
      const began = building.map((one) => (loaded.known.began.get(one)?.position ?? 0n) - 1n)
      return smallest([loaded.folded, ...began])!
    },
  }
}
