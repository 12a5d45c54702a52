import { backoffMillis } from '../../../src/async/backoff.ts'
import type { BatchHandler, BrokerRecord } from '../../../src/ports/broker.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { checkNext } from '../check-next.ts'

const minPauseMillis = 100
const maxPauseMillis = 5000

interface PartitionWork {
  readonly topic: string
  readonly partition: number
  /** Next offset to handle. */
  readonly from: number
  readonly read: (from: number) => readonly BrokerRecord[]
  readonly handler: BatchHandler
  /** False when another member has the partition by now. */
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
  /** Resolves, never rejects, once the partition is given up. */
  readonly done: Promise<void>
}

/** Reads one partition in order, batch after batch, until told to end; what fails is tried again after a pause. */
export const runPartition = (work: PartitionWork): PartitionLoop => {
  const { topic, partition, read, handler, commit, release, clock, onError } = work
  const ending = new AbortController()
  const aborting = new AbortController()
  let woken = Promise.withResolvers<void>()
  const wake = (): void => {
    woken.resolve()
    woken = Promise.withResolvers()
  }

  const loop = async (): Promise<void> => {
    let position = work.from
    let failures = 0
    while (!ending.signal.aborted) {
      const more = woken.promise
      try {
        const records = read(position)
        if (records.length === 0) {
          await more
          continue
        }
        const next = await handler({ topic, partition, records }, aborting.signal)
        checkNext(next, records)
        if (next > position) {
          if (!(await commit(Number(next)))) return aborting.abort()
          position = Number(next)
          failures = 0
          continue
        }
      } catch (error) {
        onError(error)
      }
      await clock.sleep(backoffMillis(failures++, minPauseMillis, maxPauseMillis), ending.signal)
    }
  }

  const finish = (): void => {
    ending.abort()
    wake()
  }
  return {
    wake,
    finish,
    abort: () => {
      aborting.abort()
      finish()
    },
    done: loop().then(release).catch(onError),
  }
}
