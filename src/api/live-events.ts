import { setImmediate } from 'node:timers/promises'
import { headOf } from '../app/lags.ts'
import type { System } from '../app/system.ts'
import { recentCache } from '../async/recent-cache.ts'
import { orThrow } from '../async/unavailable.ts'
import { isLeaderEvent } from '../domain/kernel/leader-lease.ts'
import type { EventBatch, EventFilter } from '../ports/event-store.ts'
import { frame } from './http/server-sent-events.ts'

/** Which events, and how many of a step at most: the newest. */
export interface Wanted {
  readonly filter: EventFilter
  readonly newest?: number
}

/** Server-sent events behind one place of the log. */
interface Step {
  readonly bytes: Uint8Array
  /** Up to here; the next step begins behind it. */
  readonly position: bigint
}

type Stores = Pick<System, 'eventStore' | 'clock'>

type Follow = (after: bigint, signal: AbortSignal) => AsyncGenerator<Uint8Array>

/** Between two steps of who knows all: programs follow closely, and people who look at the newest alone see no more than that. */
const calmMillis = { all: 100, newest: 500 }
const readAtOnce = 1000
const maxKeptBytes = 32 * 1024 * 1024

/**
 * Follows the log for any number of listeners. Those that want the same go along in the same steps, and each step is read and written as
 * text once, whoever is sent it; what is left for each of them is to hand the bytes to its socket. Throws `UnavailableError`.
 */
export const liveEvents = (stores: Stores) => {
  const all = new Map<string, Follow>()
  return async function* (wanted: Wanted, after: bigint, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const name = JSON.stringify(wanted)
    const follow = all.get(name) ?? together(stores, wanted, () => all.delete(name))
    all.set(name, follow)
    yield* follow(after, signal)
  }
}

/** Listeners that want the same. `onEnd`: the last has left, or the log is away. */
const together = ({ eventStore, clock }: Stores, wanted: Wanted, onEnd: () => void): Follow => {
  const { filter, newest } = wanted
  const steps = recentCache<Step>(maxKeptBytes, ({ bytes }) => bytes.length)
  const reads = new Map<bigint, Promise<Step>>()
  const ended = new AbortController()
  let listeners = 0
  let isRunning = false
  let top: bigint | undefined
  let failure: unknown
  let move = Promise.withResolvers<void>()
  const moved = () => {
    move.resolve()
    move = Promise.withResolvers()
  }

  const run = async (): Promise<void> => {
    try {
      top = await headOf({ eventStore })
      moved()
      for await (const batch of eventStore.subscribe(top, filter, ended.signal)) {
        if (batch.position > top) {
          steps.set(String(top), stepOf(top, batch, wanted))
          top = batch.position
          moved()
        }
        // Catching up must not hold up other requests; what comes fast is told together.
        if (batch.caughtUp)
          await clock.sleep(calmMillis[newest === undefined ? 'all' : 'newest'], ended.signal)
        else await setImmediate()
      }
    } catch (error) {
      failure = error
    }
    end()
  }

  const end = () => {
    if (ended.signal.aborted) return
    ended.abort()
    onEnd()
    moved()
  }

  /** For who is behind: up to where the others are, so that it goes on with them. Some who are behind may be so together. */
  const read = (after: bigint, upTo: bigint): Promise<Step> => {
    const reading =
      reads.get(after) ??
      orThrow(eventStore.readAll(after, filter, readAtOnce))
        .then(({ events, position, caughtUp }) => {
          const within = events.filter((event) => event.position <= upTo)
          const to = position < upTo ? position : upTo
          const step = stepOf(after, { events: within, position: to, caughtUp }, wanted)
          steps.set(String(after), step)
          return step
        })
        .finally(() => reads.delete(after))
    reads.set(after, reading)
    return reading
  }

  return async function* (after, signal) {
    signal.addEventListener('abort', moved)
    listeners++
    if (!isRunning) void run()
    isRunning = true
    try {
      let position = after
      let isSilent = true
      while (!signal.aborted) {
        if (failure !== undefined) throw failure
        const known = steps.get(String(position))
        const isBehind = top !== undefined && position < top
        if (known || isBehind) {
          const step = known ?? (await read(position, top as bigint))
          yield step.bytes
          isSilent = false
          position = step.position
          if (!known) await setImmediate()
        } else if (isSilent && top !== undefined) {
          // What is said first is the place that the listener starts from.
          yield Buffer.from(frame(position))
          isSilent = false
        } else await move.promise
      }
    } finally {
      signal.removeEventListener('abort', moved)
      if (--listeners === 0) end()
    }
  }
}

const stepOf = (after: bigint, { events, position }: EventBatch, { filter, newest }: Wanted): Step => {
  const isChosen = filter.categories !== undefined || filter.types !== undefined
  const all = isChosen ? events : events.filter((event) => !isLeaderEvent(event))
  const shown = newest === undefined ? all : all.slice(-newest)
  const last = all.at(-shown.length - 1)
  const leftOut = last ? [leftOutFrame(after, last.position, all.length - shown.length)] : []
  const told = shown.map((event) => frame(event.position, event))
  // A step may have looked at more than it holds: whoever resumes need not look at that again.
  const beyond = shown.at(-1)?.position === position ? [] : [frame(position)]
  return { bytes: Buffer.from([...leftOut, ...told, ...beyond].join('')), position }
}

const leftOutFrame = (after: bigint, upTo: bigint, events: number): string =>
  frame(upTo, { after, upTo, events }, 'left-out')
