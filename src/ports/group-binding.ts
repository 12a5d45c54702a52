import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LogMark, MarkedEvent } from '../domain/kernel/group-binding.ts'
import type { BrokerFailure } from './broker-failure.ts'

/** The log that consumer groups work for, as a broker outside it must know it. */
export interface OwnLog {
  /** Asks the log for its id and, the first time, for its newest event. Throws `UnavailableError`. */
  ask(): Promise<LogMark>
  /** The newest event that this process has written or read, without asking; undefined before the first `ask`. */
  newest(): LogMark | undefined
  /** Throws `UnavailableError`. */
  holds(event: MarkedEvent): Promise<boolean>
}

/** A group's offset in a partition, and the log that it was committed for. */
export interface BoundPlace {
  readonly topic: string
  readonly partition: number
  /** Next offset to handle. */
  readonly next: bigint
  /** Absent if the commit named none. */
  readonly mark?: LogMark
}

/** The group has members: they would continue from their own offsets. */
export interface InUse {
  readonly kind: 'InUse'
  readonly group: string
}

/** Binds the consumer groups of a broker to a log. */
export interface GroupBinding {
  /** Offsets of the group; those of its former group if it never committed; none if neither did. */
  places(group: string, formerGroup?: string): TaskEither<BrokerFailure, readonly BoundPlace[]>
  /** Commits all places or none: the group continues from there, and belongs to the log of these marks. */
  bind(
    group: string,
    places: readonly Required<BoundPlace>[],
    formerGroup?: string,
  ): TaskEither<BrokerFailure | InUse, void>
}
