import { setImmediate } from 'node:timers/promises'
import { recentCache } from '@fonds/toolbox'
import { headOf } from '../app/lags.ts'
import type { System } from '../app/system.ts'
import { orThrow } from '../async/unavailable.ts'
import { whileAnybody } from '../async/while-anybody.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { isLeaderEvent } from '../domain/kernel/leader-lease.ts'
import type { EventFilter } from '../ports/event-store.ts'
import { frame } from './http/server-sent-events.ts'

/** The events that a listener wants, and the most of them per step: the newest. */
export interface Wanted {
  readonly filter: EventFilter
  readonly newest?: number
}

/** Server-sent events behind one place of the log. */
interface Step {
  readonly bytes: Uint8Array
  /** End of the step; the next one begins behind it. */
  readonly position: bigint
}

type Stores = Pick<System, 'eventStore' | 'clock'>

type Follow = (after: bigint, signal: AbortSignal) => AsyncGenerator<Uint8Array>

/**
 * Interval between two steps for listeners that have caught up: programs follow closely, and people who see only the
 * newest need no more steps.
 */
const calmMillis = { all: 100, newest: 500 }
const readAtOnce = 1000
const defaultKeptBytes = 4 * 1024 ** 2

/**
 * Follows the log for any number of listeners. Those with the same filter share the same steps: each step is read and
 * encoded once, and its bytes are written to each listener's socket. Throws `UnavailableError`.
 */
export const liveEvents = (stores: Stores, maxKeptBytes = defaultKeptBytes) => {
  const all = new Map<string, Follow>()
  const steps = recentCache<Step>(maxKeptBytes, ({ bytes }) => bytesOfStep + bytes.length)
  let number = 0
  return async function* (wanted: Wanted, after: bigint, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const name = JSON.stringify(wanted)
    const follow = all.get(name) ?? together(stores, wanted, stepsOf(steps, number++), () => all.delete(name))
    all.set(name, follow)
    yield* follow(after, signal)
  }
}

/** A step with its key, without its bytes. */
const bytesOfStep = 200

/** Steps by the position before them. All listeners share the memory for them. */
type Steps = Pick<ReturnType<typeof recentCache<Step>>, 'get' | 'set'>

const stepsOf = (steps: Steps, number: number): Steps => ({
  get: (position) => steps.get(`${number} ${position}`),
  set: (position, step) => steps.set(`${number} ${position}`, step),
})

/** Listeners that want the same. `onEnd`: the last has left, or the log is unavailable. */
const together = ({ eventStore, clock }: Stores, wanted: Wanted, steps: Steps, onEnd: () => void): Follow => {
  const { filter, newest } = wanted
  const calm = calmMillis[newest === undefined ? 'all' : 'newest']
  const reads = new Map<bigint, Promise<Step>>()
  /** All steps up to here are known. */
  let top: bigint | undefined

  const shared = whileAnybody(async ({ signal, moved }) => {
    top = await headOf({ eventStore })
    moved()
    let since = clock.monotonic()
    let gathered = nothing
    for await (const { events, position, caughtUp } of eventStore.subscribe(top, filter, signal)) {
      gathered = gather(gathered, events, wanted)
      // Only the newest of all events in this time are sent.
      const isWhole = newest === undefined || caughtUp || clock.monotonic() - since >= calm
      if (isWhole && position > top) {
        steps.set(String(top), stepOf(top, gathered, position))
        gathered = nothing
        top = position
        moved()
      }
      // Catching up must not delay other requests; events in quick succession are sent together.
      if (caughtUp) await clock.sleep(calm, signal)
      else await setImmediate()
      if (isWhole) since = clock.monotonic()
    }
  }, onEnd)

  /**
   * Reads a step for listeners that are behind: up to the position of the others, so that they continue with these.
   * Listeners at the same position share one read.
   */
  const read = (after: bigint, upTo: bigint): Promise<Step> => {
    const reading =
      reads.get(after) ??
      orThrow(eventStore.readAll(after, filter, readAtOnce))
        .then(({ events, position }) => {
          const within = events.filter((event) => event.position <= upTo)
          const step = stepOf(after, gather(nothing, within, wanted), position < upTo ? position : upTo)
          steps.set(String(after), step)
          return step
        })
        .finally(() => reads.delete(after))
    reads.set(after, reading)
    return reading
  }

  return async function* (after, signal) {
    const leave = shared.join(signal)
    try {
      let position = after
      let isSilent = true
      while (!signal.aborted && shared.goesOn()) {
        const known = steps.get(String(position))
        const isBehind = top !== undefined && position < top
        if (known || isBehind) {
          const step = known ?? (await read(position, top as bigint))
          yield step.bytes
          isSilent = false
          position = step.position
          if (!known) await setImmediate()
        } else if (isSilent && top !== undefined) {
          // The first frame is the position that the listener starts from.
          yield Buffer.from(frame(position))
          isSilent = false
        } else await shared.move()
      }
    } finally {
      leave()
    }
  }
}

/**
 * The content of one step: the newest events, the number of those before them, and the position of the last of these.
 */
interface Gathered {
  readonly shown: readonly RecordedEvent[]
  readonly leftOut: number
  readonly lastLeftOut?: bigint
}

const nothing: Gathered = { shown: [], leftOut: 0 }

const gather = (
  before: Gathered,
  events: readonly RecordedEvent[],
  { filter, newest = Number.POSITIVE_INFINITY }: Wanted,
): Gathered => {
  const isChosen = filter.categories !== undefined || filter.types !== undefined
  const all = [...before.shown, ...(isChosen ? events : events.filter((event) => !isLeaderEvent(event)))]
  const more = Math.max(0, all.length - newest)
  const last = all[more - 1]
  return last
    ? { shown: all.slice(more), leftOut: before.leftOut + more, lastLeftOut: last.position }
    : { ...before, shown: all }
}

const stepOf = (after: bigint, { shown, leftOut, lastLeftOut }: Gathered, position: bigint): Step => {
  const others = lastLeftOut === undefined ? [] : [leftOutFrame(after, lastLeftOut, leftOut)]
  const frames = shown.map((event) => frame(event.position, event))
  // A step may have scanned more than it holds: a listener that resumes need not read that again.
  const beyond = shown.at(-1)?.position === position ? [] : [frame(position)]
  return { bytes: Buffer.from([...others, ...frames, ...beyond].join('')), position }
}

const leftOutFrame = (after: bigint, upTo: bigint, events: number): string =>
  frame(upTo, { after, upTo, events }, 'left-out')
