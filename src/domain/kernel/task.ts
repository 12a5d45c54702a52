import { isActive, isSilent, type Lease, type Silence } from './lease.ts'

/*
 * Tasks that a worker claims, once for all queues: when a claim is over whose holder did not give it back, and what is said of
 * that. A holder that died counts as a failure: work that kills its process cannot kill every process.
 */

/** What tells that a claim is over. Each is compared: no event has to arrive. */
export interface Ending {
  /** ISO 8601 UTC: now. */
  readonly at: string
  /** The holder was silent for so long by the monotonic clock of who waits: `deadline` may be of a clock that ran ahead. */
  readonly silence?: Silence | undefined
  /** A holder whose process has ended, as the lock on its file proves. */
  readonly endedHolder?: string | undefined
}

/** True where its deadline has passed, or its holder was silent for as long as it may be, or has ended. */
export const hasRunOut = (lease: Lease, { at, silence, endedHolder }: Ending): boolean =>
  !isActive(lease, at) || isSilent(lease, silence) || lease.holder === endedHolder

/** The reason of the failure that it counts as. */
export const whyRunOut = ({ holder, deadline }: Lease, { at, endedHolder }: Ending): string =>
  holder === endedHolder
    ? `the process of ${holder} ended while it held the claim`
    : `${holder} was not heard of again; its claim ran out${deadline <= at ? ` at ${deadline}` : ''}`
