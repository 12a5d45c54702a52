import { createHash } from 'node:crypto'
import { StorageRootError } from '@fonds/ocfl'
import type { Guard } from '@fonds/ocfl/bucket'
import type { Logger } from 'pino'
import { v4 as uuid } from 'uuid'
import { UnavailableError } from '../../async/unavailable.ts'
import type { LeaderTerm } from '../../domain/kernel/leader-lease.ts'
import { MINUTE } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import type { Execute } from './execute.ts'
import { keepLease, timeLeft, type Until, wordNow } from './keep-lease.ts'
import { createLeaderStream, type LeaderStream } from './leader-stream.ts'
import type { StreamStates } from './stream-states.ts'

/*
 * Locks on places of a storage root whose server keeps no conditions of writes, as leases in the log. They hold among the
 * processes of one log alone.
 */

interface Dependencies {
  readonly execute: Execute
  readonly states: StreamStates
  readonly processLock: Pick<ProcessLock, 'mark' | 'hasEnded'>
  readonly clock: Clock
  readonly log: Logger
}

/** A lease is extended every ten minutes. */
const millis = 30 * MINUTE
/** Servers refuse a request that was signed longer ago: it does not arrive behind the end of the lease. */
const requestMillis = 15 * MINUTE
const retryMillis = 1000

/** The lease of a place: `s3://bucket/prefix` of a root, or an object's folder in it. */
export const storageLease = (place: string): string =>
  `storage-${createHash('sha256').update(place).digest('hex').slice(0, 24)}`

/** `root`: address of the storage root. */
export const lockByLog = (root: string, dependencies: Dependencies): Guard => {
  const { clock, log } = dependencies
  let isNoted: Promise<unknown> | undefined
  const streamOf = (place: string) => createLeaderStream(storageLease(place), dependencies)

  /** Takes the lease of the root and leaves it: so the log says that its writers take turns. */
  const note = async (): Promise<void> => {
    const stream = streamOf(root)
    if ((await stream.read()).state.lastFence > 0) return
    const taken = await take(stream, dependencies)
    if (taken) await leave(stream, taken.term, clock)
  }

  return {
    run: async (place, waits, work, signal) => {
      isNoted ??= note().catch((error: unknown) => {
        isNoted = undefined
        throw error
      })
      await isNoted
      const stream = streamOf(`${root} ${place}`)
      const { term, until } = await granted(stream, place, waits, dependencies, signal)
      const { holder, fence } = term
      const lease = { name: stream.name, holder, fence, millis, until }
      const keeping = keepLease(lease, () => ({ positions: {} }), { stream, clock, log })
      const failIfLost = (): void => {
        if (keeping.rejected.aborted || timeLeft(keeping.until(), clock) < requestMillis)
          throw new StorageRootError(
            `the lock on ${place} in the log is lost, or was not extended; try again`,
          )
      }
      try {
        return await work(failIfLost)
      } finally {
        await keeping.stop()
        await leave(stream, term, clock)
      }
    },
  }
}

interface Taken {
  readonly term: LeaderTerm
  readonly until: Until
}

const granted = async (
  stream: LeaderStream,
  place: string,
  waits: boolean,
  dependencies: Dependencies,
  signal?: AbortSignal,
): Promise<Taken> => {
  for (;;) {
    signal?.throwIfAborted()
    const taken = await take(stream, dependencies)
    if (taken) return taken
    if (!waits) throw new StorageRootError(`another process writes to ${place}`)
    await dependencies.clock.sleep(retryMillis, signal)
  }
}

/** Undefined while another holder has it, whose process may be at work. */
const take = async (
  stream: LeaderStream,
  { processLock, clock }: Dependencies,
): Promise<Taken | undefined> => {
  const { state, revision } = await stream.read()
  const { until, ...word } = wordNow(clock, millis)
  const { lease } = state
  const hasEnded = lease?.lock !== undefined && processLock.hasEnded(lease.lock)
  // Each write is a holder of its own: two of one process exclude each other, too.
  const holder = uuid()
  const term = await stream.execute(
    {
      type: 'Take',
      actor: holder,
      holder,
      lock: processLock.mark(),
      ...(hasEnded && { endedHolder: lease.holder }),
      ...word,
    },
    revision,
  )
  return term && { term, until }
}

/** If that fails, others wait until the deadline. */
const leave = async (stream: LeaderStream, { holder, fence }: LeaderTerm, clock: Clock): Promise<void> => {
  try {
    await stream.execute({ type: 'Leave', actor: holder, at: clock.now(), fence, positions: {} })
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
}
