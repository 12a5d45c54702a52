import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { positionIn } from '../../domain/kernel/duty.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventFilter, EventStore } from '../../ports/event-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import {
  type Generation,
  GenerationGone,
  livePosition,
  movedOn,
  type ViewStore,
} from '../../ports/view-store.ts'
import type { Mandate } from './duty.ts'

/** Work that goes along the log, in order, one batch after the other. */
export interface Follower {
  readonly name: string
  /** Names what its position counts; `name` unless said. */
  readonly checkpoint?: string
  readonly filter: EventFilter
  /** Most events handled at once; as many as the log gives unless said. */
  readonly batchSize?: number
  /**
   * True when all of the batch is done for good; false when it stopped in the middle, as it must once `goesOn` says no:
   * that is looked at before each piece of work. What it throws is logged, and the batch is tried again after a pause.
   */
  readonly handle: (batch: EventBatch, goesOn: () => boolean, signal: AbortSignal) => Promise<boolean>
  /** For work that knows its place from what it wrote itself; else the checkpoint tells. */
  readonly place?: OwnPlace
}

export interface OwnPlace {
  /**
   * Looks up how far the work has come: the log is followed from behind it. Asked before each subscription. `signal`
   * aborts when the answer is no longer wanted.
   */
  begin(signal: AbortSignal): Promise<bigint>
  /** Up to here all is done for good: what was handled may still wait to be written with what comes next. */
  reached(): bigint
  /** Nothing more will come, until it begins again. */
  end(): Promise<void>
}

export interface FollowDependencies {
  readonly eventStore: EventStore
  /**
   * Holds the checkpoint, as a projection without views, so that other processes of the same home see it at once. Lost
   * with it, the work starts from where the duty says, and does again what it did since.
   */
  readonly viewStore: ViewStore
  readonly mandate: Pick<Mandate, 'valid' | 'positions'>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

export interface Following {
  readonly name: string
  position(): bigint
  /** Resolves when what is under way is finished. */
  stop(): Promise<void>
}

const checkpointVersion = 1
const firstPause = 100
const longestPause = 10_000

/**
 * The checkpoint moves only behind finished work; what fails is tried again after a pause that grows. Work that knows its
 * place has the last word on it: its checkpoint only tells others how far it is.
 */
export const follow = (follower: Follower, deps: FollowDependencies): Following => {
  const { name, checkpoint = name, filter, handle, place } = follower
  const { eventStore, viewStore, mandate, clock, telemetry, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const goesOn = () => !signal.aborted && mandate.valid()
  const position = () =>
    furthest(livePosition(viewStore, checkpoint), positionIn(mandate.positions, checkpoint))
  const running = loop().finally(end)

  async function loop(): Promise<void> {
    let pause = firstPause
    while (goesOn()) {
      try {
        const generation = checkpointOf(checkpoint, viewStore)
        const from = place ? await place.begin(signal) : position()
        for await (const batch of eventStore.subscribe(from, filter, signal)) {
          if (!(await handleAll(batch, generation))) break
          pause = firstPause
        }
      } catch (error) {
        if (signal.aborted && error instanceof Away) return
        // Another process has put its checkpoint in the place of ours: on from there.
        if (error instanceof GenerationGone) continue
        telemetry.count('failures', { processor: name, reason: error instanceof Away ? 'away' : 'defect' })
        // What is away is told once, and again when it was back.
        const level = !(error instanceof Away) ? 'error' : pause > firstPause ? 'debug' : 'warn'
        log[level]({ err: error, part: name }, 'following the log failed, and will be tried again')
        await clock.sleep(pause * (0.5 + Math.random()), signal)
        pause = Math.min(pause * 2, longestPause)
      }
    }
  }

  async function end(): Promise<void> {
    try {
      await place?.end()
    } catch (error) {
      log.error({ err: error, part: name }, 'what was to be kept when following the log ended could not be')
    }
  }

  /** False when it is to be stopped, or to be begun anew from the checkpoint. */
  async function handleAll(batch: EventBatch, generation: Generation): Promise<boolean> {
    for (const part of partsOf(batch, follower.batchSize)) {
      if (!goesOn() || !(await handle(part, goesOn, signal))) return false
      if (!advance(generation, part)) return false
    }
    return goesOn()
  }

  /** False when another process moved the checkpoint further: go on from there. */
  function advance(generation: Generation, { events, position }: EventBatch): boolean {
    const before = viewStore.checkpoint(generation)
    const reached = place ? nearest(position, place.reached()) : position
    if (reached <= before.position) return place !== undefined || reached === before.position
    const done = events.filter((event) => event.position <= reached)
    const moved = viewStore.fold(generation, before.position, movedOn(before, done, reached), () => {})
    return place !== undefined || !isLeft(moved)
  }

  return {
    name,
    position,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

const furthest = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const nearest = (one: bigint, other: bigint): bigint => (one < other ? one : other)

function* partsOf(batch: EventBatch, size = Number.POSITIVE_INFINITY): Generator<EventBatch> {
  const { events, position, caughtUp } = batch
  let from = 0
  for (; from + size < events.length; from += size) {
    const some = events.slice(from, from + size)
    yield { events: some, position: some.at(-1)!.position, caughtUp: false }
  }
  yield from === 0 ? batch : { events: events.slice(from), position, caughtUp }
}

/** Looked up anew after each failure: a second process may have put its own in its place. */
const checkpointOf = (name: string, viewStore: ViewStore): Generation => {
  const live = viewStore.live(name)
  if (live) return live
  const made = viewStore.create(name, checkpointVersion, [])
  viewStore.promote(made)
  return viewStore.live(name) ?? made
}
