import type { Logger } from 'pino'
import { whileAway } from '../../async/backoff.ts'
import { type Failed, keepTrying, levelOf } from '../../async/keep-trying.ts'
import { orThrow } from '../../async/unavailable.ts'
import type { LeaderCommand, LeaderLeaseState } from '../../domain/kernel/leader-lease.ts'
import { isActive } from '../../domain/kernel/lease.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ProcessLock } from '../../ports/process-lock.ts'
import { checkpointsHeld } from './checkpoints-held.ts'
import type { Execute } from './execute.ts'
import { type KeepApart, wordNow } from './keep-lease.ts'
import { createLeaderStream, type LeaderStream } from './leader-stream.ts'
import { createLeaderTerms, type LeaderTerms, type LeaderWork } from './leader-term.ts'
import { vacancy } from './leader-vacancy.ts'
import type { StreamState, StreamStates } from './stream-states.ts'

interface LeaderDependencies {
  /** Names this process: no other one ever has the same name. */
  readonly holder: string
  /** Seconds that the holder may be silent before another takes over. */
  readonly seconds: number
  readonly eventStore: EventStore
  readonly execute: Execute
  readonly states: StreamStates
  readonly processLock: Pick<ProcessLock, 'mark' | 'hasEnded'>
  /** Absent: leases are extended on this thread. */
  readonly keepApart?: KeepApart
  readonly clock: Clock
  readonly log: Logger
}

export interface RunningLeader {
  readonly name: string
  /** Finishes the work under way and gives the lease back, so that another takes over at once. */
  stop(): Promise<void>
  /** For a process that ends abruptly: gives the lease back at once, and finishes nothing. */
  abandon(): Promise<void>
}

/** Events that stay in the stream, for people who ask for recent holders. */
const keptEvents = 20

/** Why an active lease may be taken. */
type Vacancy = Pick<Extract<LeaderCommand, { type: 'Take' }>, 'silence' | 'endedHolder'>

/**
 * Holds the lease whenever it can: takes it, extends it after a third of its time, gives it back at the end. An
 * unavailable log only delays that.
 *
 * Clocks of machines differ, so two may briefly think that they hold it. The work must tolerate that: commands are
 * harmless twice by their causes and by expected revisions, and consumers drop positions that they have seen.
 */
export const runLeader = (work: LeaderWork, deps: LeaderDependencies): RunningLeader => {
  const { name } = work
  const { clock, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const millis = deps.seconds * SECOND
  const stream = createLeaderStream(name, deps)
  const terms = createLeaderTerms(work, { ...deps, stream, millis }, signal)
  const campaign = createCampaign({ ...deps, stream, terms, millis, signal })

  const onFailure = (failed: Failed): void =>
    log[levelOf(failed)]({ err: failed.error, duty: name }, 'cannot read or write the leader lease; retrying')

  const running = keepTrying(
    async (succeeded) => {
      await campaign()
      succeeded()
    },
    { clock, signal, awayBackoff: whileAway, onFailure },
  )

  return {
    name,
    stop: async () => {
      stopping.abort()
      await running
    },
    abandon: async () => {
      stopping.abort()
      await terms.abandon()
    },
  }
}

interface CampaignDependencies extends Omit<LeaderDependencies, 'seconds'> {
  readonly stream: LeaderStream
  readonly terms: LeaderTerms
  /** Milliseconds that the holder may be silent. */
  readonly millis: number
  readonly signal: AbortSignal
}

/**
 * Takes the lease if it is vacant, and works; else waits until it may be. Vacant: its deadline has passed, its holder
 * has ended, or was silent for as long as its last extension lasts, by this process's monotonic clock: a deadline may
 * be from a clock that ran days ahead.
 */
const createCampaign = (deps: CampaignDependencies) => {
  const { holder, eventStore, processLock, stream, terms, millis, clock, signal } = deps
  const silentMillis = silenceOf(clock)

  /** A silent holder may wake just now: its event then precedes ours, and ours is not written. */
  const take = async (
    { revision, position, state }: StreamState<LeaderLeaseState>,
    grounds?: Vacancy,
  ): Promise<void> => {
    if (revision < 0n) await orThrow(eventStore.keepLatest(stream.name, keptEvents))
    const reached = await checkpointsHeld(eventStore, state, position)
    const { until, ...word } = wordNow(clock, millis)
    const taken = await stream.execute(
      { type: 'Take', actor: holder, holder, lock: processLock.mark(), reached, ...grounds, ...word },
      grounds && revision,
    )
    if (taken) await terms.serve(taken, until)
  }

  return async (): Promise<void> => {
    const found = await stream.read()
    if (signal.aborted) return
    const silent = silentMillis(found.revision)
    const { lease } = found.state
    if (!isActive(lease, clock.now()) || lease.holder === holder) return take(found)
    if (lease.lock && processLock.hasEnded(lease.lock)) return take(found, { endedHolder: lease.holder })
    const maxSilent = lease.millis ?? millis
    if (silent >= maxSilent) return take(found, { silence: { ...lease, millis: silent } })
    return vacancy(lease, found.position, maxSilent - silent, { ...deps, stream: stream.name })
  }
}

/** Returns for how long nothing was appended after a stream's revision, since it was first seen there. */
const silenceOf = (clock: Clock) => {
  let seen = { revision: -1n, since: clock.monotonic() }
  return (revision: bigint): number => {
    const now = clock.monotonic()
    if (revision !== seen.revision) seen = { revision, since: now }
    return now - seen.since
  }
}
