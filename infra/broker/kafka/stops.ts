import { backoffMillis } from '../../../src/async/backoff.ts'
import type { StoppedPartition } from '../../../src/ports/broker.ts'

/** Partitions of one member that Kafka or what stands in them keeps it from reading. */
export interface Stops {
  /** Cannot be read; tried again after a pause, longer with each failure in a row. True where that is news. */
  add(place: Place, because: string): boolean
  /** Nothing came though more is there: a stop once that has lasted a minute. */
  held(place: Place, because: string): void
  /** It was read, or there is nothing to read. */
  clear(topic: string, partition: number): void
  /** Whether it is tried apart from the others: `later` where its pause is not over yet. */
  stateOf(topic: string, partition: number): 'well' | 'due' | 'later'
  /** After a rebalance: forgets the partitions of others. */
  keep(isOurs: (topic: string, partition: number) => boolean): void
  all(): readonly StoppedPartition[]
}

/** Full name of the topic; the first offset that cannot be read. */
type Place = Pick<StoppedPartition, 'topic' | 'partition' | 'offset'>

interface Stop extends StoppedPartition {
  readonly kind: 'unreadable' | 'held'
  readonly failures: number
  /** Both by `performance.now`. */
  readonly began: number
  readonly until: number
}

const pause = { minMillis: 1000, maxMillis: 30_000 }
const heldMillis = 60_000

export const createStops = (): Stops => {
  const stops = new Map<string, Stop>()
  const idOf = (topic: string, partition: number) => `${topic}-${partition}`
  const set = (place: Place, kind: Stop['kind'], because: string): boolean => {
    const id = idOf(place.topic, place.partition)
    const before = stops.get(id)
    const isSame = before?.kind === kind && before.offset === place.offset
    const failures = isSame ? before.failures + 1 : 0
    const now = performance.now()
    const { since, began } = isSame ? before : { since: new Date().toISOString(), began: now }
    const until = now + backoffMillis(failures, pause)
    const { topic, partition, offset } = place
    stops.set(id, { topic, partition, offset, kind, since, began, because, failures, until })
    return !isSame || before.because !== because
  }

  return {
    add: (place, because) => set(place, 'unreadable', because),
    held: (place, because) => void set(place, 'held', because),
    clear: (topic, partition) => stops.delete(idOf(topic, partition)),
    stateOf: (topic, partition) => {
      const stop = stops.get(idOf(topic, partition))
      if (stop?.kind !== 'unreadable') return 'well'
      return performance.now() < stop.until ? 'later' : 'due'
    },
    keep: (isOurs) => {
      for (const [id, { topic, partition }] of stops) if (!isOurs(topic, partition)) stops.delete(id)
    },
    all: () =>
      Array.from(stops.values())
        .filter(({ kind, began }) => kind === 'unreadable' || performance.now() - began >= heldMillis)
        .map(({ topic, partition, offset, since, because }) => ({
          topic,
          partition,
          offset,
          since,
          because,
        })),
  }
}
