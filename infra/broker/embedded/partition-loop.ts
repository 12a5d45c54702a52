import { createAutoResetEvent } from '../../../src/async/auto-reset-event.ts'
import { whileAway } from '../../../src/async/backoff.ts'
import { type Failed, keepTrying } from '../../../src/async/keep-trying.ts'
import type { BatchHandler, BrokerRecord } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { checkNext } from '../check-next.ts'
import { createOffsetStore } from './offset-store.ts'

/** Everything is on one machine, so longer pauses would spare no server. */
const backoff = { maxMillis: 5000 }

/** The handler finished nothing. It has reported why itself. */
class Standstill extends Error {}

interface PartitionWork {
  readonly topic: string
  readonly partition: number
  /** Next offset to handle. */
  readonly from: number
  readonly read: (from: number) => readonly BrokerRecord[]
  readonly handler: BatchHandler
  /** Resolves to false where another member has the partition now. */
  readonly commit: (next: number) => Promise<boolean>
  readonly release: () => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

export interface PartitionLoop {
  /** Reads again. */
  wake(): void
  /** Ends after the batch under way. */
  finish(): void
  /** Asks the batch under way to stop early, then ends. */
  abort(): void
  /** Resolves, never rejects, once the partition is released. */
  readonly done: Promise<void>
}

/** Reads one partition in order, batch after batch, until `finish` or `abort`. What fails is tried again after a pause. */
export const runPartition = (work: PartitionWork): PartitionLoop => {
  const { topic, partition, read, handler, commit, release, clock, onError } = work
  const ending = new AbortController()
  const aborting = new AbortController()
  const more = createAutoResetEvent(clock)
  let position = work.from
  const offsets = createOffsetStore(position, commit, () => abort())

  const handleNext = async (succeeded: () => void): Promise<void> => {
    const records = read(position)
    if (records.length === 0) {
      await offsets.flushed()
      return more.wait()
    }
    const next = await handler({ topic, partition, records }, aborting.signal)
    checkNext(next, records)
    if (next === BigInt(position)) throw new Standstill()
    position = Number(next)
    await offsets.put(position)
    succeeded()
  }

  const onFailure = ({ error }: Failed): void => {
    if (!(error instanceof Standstill)) onError(error)
  }

  const finish = (): void => {
    ending.abort()
    more.set()
  }
  const abort = (): void => {
    aborting.abort()
    finish()
  }
  const loop = keepTrying(handleNext, {
    clock,
    signal: ending.signal,
    backoff,
    awayBackoff: whileAway,
    onFailure,
  })
  return {
    wake: more.set,
    finish,
    abort,
    done: loop.then(offsets.flushed).catch(onError).then(release).catch(onError),
  }
}
