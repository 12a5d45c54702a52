import { isActive, isSilent, type Lease, type Silence } from './lease.ts'

/*
 * Claims of tasks, for all queues: when a claim has run out that its holder did not give back, and the recorded reason.
 * A holder's death counts as a failure: work that kills its process cannot kill every process.
 */

/** Evidence that a claim has run out. Each part is compared: no event has to arrive. */
export interface Ending {
  /** Now: ISO 8601 UTC. */
  readonly at: string
  /** Silence of the holder by the waiting process's monotonic clock: `deadline` may be from a clock that ran ahead. */
  readonly silence?: Silence | undefined
  /** A holder whose process has ended, as the lock on its file proves. */
  readonly endedHolder?: string | undefined
}

/** True if its deadline has passed, its holder was silent for as long as it may be, or its holder has ended. */
export const hasRunOut = (lease: Lease, { at, silence, endedHolder }: Ending): boolean =>
  !isActive(lease, at) || isSilent(lease, silence) || lease.holder === endedHolder

/** Returns the reason of the failure that a claim counts as when it has run out. */
export const whyRunOut = ({ holder, deadline }: Lease, { at, endedHolder }: Ending): string =>
  holder === endedHolder
    ? `the process of ${holder} ended while it held the claim`
    : `${holder} was not heard of again; its claim ran out${deadline <= at ? ` at ${deadline}` : ''}`
