import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ConsumeOptions } from '../../ports/broker.ts'

/** One command for one stream, with its decider. */
export interface Route<
  S = never,
  C extends Command = Command,
  E extends DomainEvent = DomainEvent,
  R extends Rejection = Rejection,
> {
  readonly decider: Decider<S, C, E, R, unknown>
  readonly stream: string
  readonly command: C
  /** It continues the correlation of its stream's last event, not of the message. */
  readonly ofStream?: true
}

/** The work of a consumer group: turns messages of some topics into commands. */
export interface Processor {
  /** Name in rejections, dead letters and metrics. */
  readonly name: string
  /** Its consumer group, `fonds.<workflow>.<processor>`; absent: its name. */
  readonly group?: string
  readonly topics: readonly TopicSpec[]
  /**
   * Returns the commands of each message, on different streams: same length, same order. May query views for the whole
   * batch at once. Called again for halves of a batch that it throws for, down to one message. Throws
   * `UnavailableError` if a dependency is unavailable, `InvalidMessageError` for a message that can never be used; any
   * other error is a bug, and makes the message a dead letter.
   */
  readonly route: (messages: readonly Message[]) => Promise<readonly (readonly Route[])[]>
}

/** A group formerly had its processor's name. */
export const groupOf = ({ name, group = name }: Processor): Pick<ConsumeOptions, 'group' | 'formerGroup'> =>
  group === name ? { group } : { group, formerGroup: name }
