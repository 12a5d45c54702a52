import type { Logger } from 'pino'
import { finishAll } from '../../async/finish-all.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Checkpoints, LeaderTerm, Positions } from '../../domain/kernel/leader-lease.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type HeldLease,
  type KeepApart,
  type Keeping,
  keepLease,
  timeLeft,
  type Until,
} from './keep-lease.ts'
import type { LeaderStream } from './leader-stream.ts'

/** A role that one process has at a time. */
export interface LeaderWork {
  readonly name: string
  /** Progress of the work. Written with the lease, so that another machine continues from there. */
  readonly checkpoints: () => Checkpoints
  /** Runs until `term.signal` aborts, and resolves when the work under way is finished. */
  readonly work: (term: Term) => Promise<void>
}

/** The right to do the work. */
export interface Term {
  readonly fence: number
  /** Progress of earlier leaders. */
  readonly positions: Positions
  /** Aborts when the work is to stop: the lease was lost, or is to be given back. */
  readonly signal: AbortSignal
  /**
   * Asked before each piece of work. Compares clocks, and waits for no timer: a process that was suspended past its
   * time finds on waking that others may be at work, before any of its timers has run.
   */
  isLeader(): boolean
}

interface TermDependencies {
  readonly stream: LeaderStream
  readonly holder: string
  /** Milliseconds that the holder may be silent. */
  readonly millis: number
  /** Absent: leases are extended on this thread. */
  readonly keepApart?: KeepApart
  readonly clock: Clock
  readonly log: Logger
}

export interface LeaderTerms {
  /** Works until the lease is lost or `stopping` aborts; then gives it back. */
  serve(granted: LeaderTerm, until: Until): Promise<void>
  /** Gives a held lease back at once, and waits for nothing. */
  abandon(): Promise<void>
}

export const createLeaderTerms = (
  work: LeaderWork,
  { stream, holder, millis, keepApart, clock, log }: TermDependencies,
  stopping: AbortSignal,
): LeaderTerms => {
  const { name } = work
  /** The fence of the term, while there is one. */
  let held: number | undefined

  /** Empty while the views that hold them are unavailable: the lease keeps its earlier ones. */
  const checkpoints = (): Checkpoints => {
    try {
      return work.checkpoints()
    } catch (error) {
      if (error instanceof UnavailableError) return { positions: {} }
      throw error
    }
  }

  const keep = (lease: HeldLease): Keeping => {
    const here = (one: HeldLease) => keepLease(one, checkpoints, { stream, clock, log })
    return keepApart ? keepApart(lease, checkpoints, here) : here(lease)
  }

  /** If that fails, others wait until the deadline. */
  const leave = async (fence: number): Promise<void> => {
    try {
      await stream.execute({ type: 'Leave', actor: holder, at: clock.now(), fence, ...checkpoints() })
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.debug({ err: error, duty: name }, 'cannot release the leader lease; it expires by itself')
    }
  }

  return {
    serve: async ({ fence, positions }, until) => {
      held = fence
      log.info({ duty: name, fence }, 'this process is the leader')
      const keeping = keep({ name, holder, fence, millis, until })
      const over = new AbortController()
      const onLost = (reason: string) =>
        log.warn({ duty: name, fence }, `the leader lease is lost: ${reason}`)
      const right = rightToWork(keeping, clock, stopping, onLost)
      const watching = watchTheClock(right, keeping, clock, over.signal)
      try {
        await work.work({ fence, positions, ...right })
      } finally {
        over.abort()
        held = undefined
        await finishAll([watching, keeping.stop()])
        await leave(fence)
      }
    },
    abandon: async () => {
      if (held !== undefined) await leave(held)
    },
  }
}

/** Ends when `stopping` aborts, an extension is rejected, or none succeeded in time. */
const rightToWork = (
  keeping: Keeping,
  clock: Clock,
  stopping: AbortSignal,
  onLost: (reason: string) => void,
): Pick<Term, 'signal' | 'isLeader'> => {
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, stopping])
  const lose = (reason: string) => {
    if (lost.signal.aborted) return
    lost.abort()
    void keeping.stop()
    onLost(reason)
  }
  keeping.rejected.addEventListener('abort', () => lose('another process may hold it'))
  return {
    signal,
    /** Once false, it stays false, even if an extension succeeds after all: the work has stopped for good. */
    isLeader: () => {
      if (!signal.aborted && timeLeft(keeping.until(), clock) <= 0) lose('it was not extended in time')
      return !signal.aborted
    },
  }
}

const watchTheClock = async (
  { signal, isLeader }: Pick<Term, 'signal' | 'isLeader'>,
  keeping: Keeping,
  clock: Clock,
  over: AbortSignal,
): Promise<void> => {
  const ended = AbortSignal.any([signal, over])
  while (!ended.aborted && isLeader()) await clock.sleep(timeLeft(keeping.until(), clock), ended)
}
