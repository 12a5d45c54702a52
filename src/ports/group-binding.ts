import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LogMark, MarkedEvent } from '../domain/kernel/group-binding.ts'
import type { BrokerFailure } from './broker-failure.ts'

/** What a broker that is not kept with the log must know of the log that its consumer groups work for. */
export interface OwnLog {
  /** Asks the log for its id and, the first time, for its newest event. Throws `UnavailableError`. */
  ask(): Promise<LogMark>
  /** The newest event that this process has written or read, without asking; undefined before the first `ask`. */
  newest(): LogMark | undefined
  /** Throws `UnavailableError`. */
  holds(event: MarkedEvent): Promise<boolean>
}

/** Where a group stands in a partition, and for which log it was said. */
export interface BoundPlace {
  readonly topic: string
  readonly partition: number
  /** Next offset to handle. */
  readonly next: bigint
  /** Absent where nothing was said. */
  readonly mark?: LogMark
}

/** The group has members: they would go on from where they are. */
export interface InUse {
  readonly kind: 'InUse'
  readonly group: string
}

/** Which log the consumer groups of a broker belong to. */
export interface GroupBinding {
  /** Where it never committed, those of the group that it was before; none where neither did. */
  places(group: string, formerGroup?: string): TaskEither<BrokerFailure, readonly BoundPlace[]>
  /** All of it or nothing: the group stands there from now on, and belongs to the log of these marks. */
  bind(
    group: string,
    places: readonly Required<BoundPlace>[],
    formerGroup?: string,
  ): TaskEither<BrokerFailure | InUse, void>
}
