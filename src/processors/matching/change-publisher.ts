import type { Logger } from 'pino'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import { category as generationsCategory } from '../../domain/matching/generations/events.ts'
import type { Family } from '../../domain/matching/graph/component.ts'
import { graphStream } from '../../domain/matching/graph/events.ts'
import type { Change } from '../../domain/matching/graph/graph.ts'
import type { SplitLimits } from '../../domain/matching/graph/split.ts'
import { byId, category as workCategory } from '../../domain/matching/work.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventStore } from '../../ports/event-store.ts'
import { Fenced } from '../runtime/fenced.ts'
import { foldBatch } from '../runtime/in-memory-model.ts'
import { changeAppends, listingAppends } from './appends.ts'
import { publishedThrough, smallest } from './graph-streams.ts'
import { foldGeneration, syncGraphStreams } from './known-generations.ts'
import type { MatcherState } from './matcher-state.ts'
import { type Append, type Causation, ResumableWrite } from './resumable-write.ts'
import { createSizeWarning } from './size-warning.ts'
import { UnpublishedFacts } from './unpublished-facts.ts'
import { applyWorkEvent } from './work-facts.ts'

export interface PublishLimits {
  /** Facts that are older than this are folded in at first and published later, all at once. */
  readonly farBehindMillis: number
  /** This many facts are published, however old they are. */
  readonly maxUnpublished: number
  /** Newer facts are published this many at a time: one by one, a component of n works would be written n times. */
  readonly batchSize: number
  readonly gather: GatherLimits
  /** Works of a generation that are listed between two batches of facts. */
  readonly listBatchSize: number
  /**
   * After a change of more works than `largeChange` facts are gathered for `restMicros` for each work, at most
   * `maxRestMillis`: each change of a large component contains all of it, and every consumer has to read it.
   */
  readonly largeChange: number
  readonly restMicros: number
  readonly maxRestMillis: number
  /** Components of this many works are logged as warnings. */
  readonly alarmSize: number
  readonly split: SplitLimits
}

/**
 * While a catalogue is loaded its works come one by one: a change for each would write a component once for each of its
 * works. So once there are `minFacts` facts the matcher waits for `waitMillis`, and again while more come: they are
 * published together, at the latest about `maxMillis` after the change before.
 */
interface GatherLimits {
  readonly minFacts: number
  readonly waitMillis: number
  readonly maxMillis: number
}

interface PublisherDependencies {
  readonly eventStore: EventStore
  readonly clock: Clock
  readonly log: Logger
}

/** How far a new generation is listed. */
interface Listing {
  readonly next: number
  readonly components: number
}

/**
 * Folds facts into the graph, and publishes the components that they change. After a failure the next call continues
 * where it stopped. Methods that write return false once `isLeader` says no, and throw `UnavailableError`.
 */
export class ChangePublisher {
  readonly #state: MatcherState
  readonly #deps: PublisherDependencies
  readonly #limits: PublishLimits
  readonly #facts = new UnpublishedFacts()
  readonly #listings = new Map<number, Listing>()
  readonly #warned: ReturnType<typeof createSizeWarning>
  #write: ResumableWrite | undefined
  #lastRecordedAt = ''
  /** When the last change was published. */
  #changedAt: number
  /** Works of the last change. */
  #published = 0

  constructor(state: MatcherState, deps: PublisherDependencies, limits: PublishLimits) {
    this.#state = state
    this.#deps = deps
    this.#limits = limits
    this.#warned = createSizeWarning(deps.log, limits.alarmSize)
    this.#changedAt = deps.clock.monotonic()
  }

  /** True if nothing waits and nothing is half written. */
  isAtRest(): boolean {
    return !this.#write && this.#state.graph.pending === 0
  }

  /** Continues an unfinished write. */
  async resume(isLeader: () => boolean): Promise<boolean> {
    if (this.#write && !(await this.#write.resume(isLeader))) return false
    this.#write = undefined
    return true
  }

  /** Returns the failure if an event cannot be read: those before it are folded in. */
  fold(batch: EventBatch): UnavailableError | undefined {
    try {
      foldBatch(this.#state, batch, (_, event) => this.#evolve(event))
      return undefined
    } catch (error) {
      if (error instanceof UnavailableError) return error
      throw error
    }
  }

  #evolve(event: RecordedEvent): void {
    const state = this.#state
    if (categoryOf(event.stream) === generationsCategory) state.known = foldGeneration(state.known, event)
    else this.#foldFact(event)
    this.#lastRecordedAt = event.recordedAt
  }

  #foldFact(event: RecordedEvent): void {
    const isNew = applyWorkEvent(this.#state.graph, event)
    this.#state.last = { work: idOf(event.stream), revision: Number(event.revision) }
    this.#state.lastAt = event.position
    if (isNew) this.#facts.add(event)
  }

  /**
   * True if the waiting facts are to be published now; false if more of them are to come first. Facts of changes that
   * another matcher began are published together, so that no consumer gets a part of them. Throws `UnavailableError`.
   */
  async isDue({ caughtUp }: EventBatch, signal: AbortSignal): Promise<boolean> {
    if (caughtUp) return !(await this.#areMoreComing(signal))
    const { farBehindMillis, maxUnpublished, batchSize } = this.#limits
    const isFar = millisBetween(this.#lastRecordedAt, this.#deps.clock.now()) > farBehindMillis
    return this.#facts.count >= (isFar || this.#state.hasUnfinished ? maxUnpublished : batchSize)
  }

  async #areMoreComing(signal: AbortSignal): Promise<boolean> {
    const { clock, eventStore } = this.#deps
    const { minFacts, waitMillis, maxMillis } = this.#limits.gather
    if (this.#facts.count < minFacts || clock.monotonic() - this.#changedAt > maxMillis) return false
    await clock.sleep(waitMillis, signal)
    const next = await orThrow(eventStore.readAll(this.#state.folded, { categories: [workCategory] }, 1))
    return next.events.length > 0
  }

  /** Publishes all facts that wait, then a part of what new generations lack. */
  async publish(isLeader: () => boolean): Promise<boolean> {
    const { graph, streams } = this.#state
    await this.#syncStreams()
    if (graph.pending > 0 && !(await this.#publishChange(isLeader))) return false
    for (const [generation, { listed }] of streams)
      if (!listed && !(await this.#publishListing(generation, isLeader))) return false
    return true
  }

  /**
   * Milliseconds that facts are gathered before the next change; 0 if no large change was published since the last
   * call.
   */
  takeRest(): number {
    const { largeChange, restMicros, maxRestMillis } = this.#limits
    const published = this.#published
    this.#published = 0
    return published > largeChange ? Math.min((published * restMicros) / 1000, maxRestMillis) : 0
  }

  /** Position up to which nothing is left to be done. */
  checkpoint(): bigint {
    const { streams, known, folded } = this.#state
    if (!this.isAtRest()) return publishedThrough(streams).through
    const building = [...known.generations.active.keys()].filter((one) => !streams.get(one)?.listed)
    const started = building.map((one) => (known.started.get(one)?.position ?? 0n) - 1n)
    return smallest([folded, ...started])!
  }

  /**
   * Reads the streams of new generations. Throws `Fenced` if another matcher has written to one that has just started.
   */
  async #syncStreams(): Promise<void> {
    const { streams, known } = this.#state
    const before = new Set(streams.keys())
    await syncGraphStreams(this.#deps.eventStore, known, streams)
    for (const [generation, { revision }] of streams)
      if (!before.has(generation) && revision >= 0n)
        throw new Fenced(`${graphStream(generation)} was written by another matcher`)
  }

  #publishChange(isLeader: () => boolean): Promise<boolean> {
    const { graph, streams, lastAt, last } = this.#state
    const change = this.#withStalePlaceholders(graph.take())
    const { causes, causation = this.#lastPublished() } = this.#facts.take()
    const checkpoint = { through: lastAt, last }
    const now = this.#deps.clock.now()
    const appends = changeAppends(change, causes, checkpoint, streams, now, this.#limits.split)
    this.#changedAt = this.#deps.clock.monotonic()
    return this.#append(appends, causation, isLeader)
  }

  /** Also drops placeholders of an unfinished change that the graph no longer has. */
  #withStalePlaceholders({ families, dropped }: Change): Pick<Change, 'families' | 'dropped'> {
    const { graph, unfinishedPlaceholders } = this.#state
    const stale = unfinishedPlaceholders.filter((id) => !graph.has(id))
    this.#state.unfinishedPlaceholders = []
    this.#state.hasUnfinished = false
    return {
      families: this.#counted(this.#warned(families)),
      dropped: [...new Set([...dropped, ...stale])].sort(byId),
    }
  }

  *#counted(families: Iterable<Family>): Generator<Family> {
    for (const family of families) {
      for (const { members } of family.components) this.#published += members.length
      yield family
    }
  }

  /** The causation if works are published again without a new fact: the event that published them before. */
  #lastPublished(): Causation {
    const id = [...this.#state.streams.values()].find(({ revision }) => revision >= 0n)?.id ?? ''
    return { causationId: id, correlationId: id }
  }

  /** Publishes some of the remaining components; with the last of them, how many there were. */
  #publishListing(generation: number, isLeader: () => boolean): Promise<boolean> {
    const { graph, streams, known } = this.#state
    const { split, listBatchSize } = this.#limits
    const before = this.#listings.get(generation) ?? { next: 0, components: 0 }
    const { components, next } = graph.list(before.next, listBatchSize)
    const count = before.components + components.length
    if (next === undefined) this.#listings.delete(generation)
    else this.#listings.set(generation, { next, components: count })
    const total = next === undefined ? count : undefined
    const now = this.#deps.clock.now()
    const appends = listingAppends(components, total, generation, streams, now, split)
    return this.#append(appends, known.started.get(generation)!.causation, isLeader)
  }

  #append(appends: Iterator<Append>, causation: Causation, isLeader: () => boolean): Promise<boolean> {
    this.#write = new ResumableWrite(appends, causation, this.#state.streams, this.#deps.eventStore)
    return this.resume(isLeader)
  }
}
