import type { Command, Decider } from '../../domain/kernel/decider.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ConsumeOptions } from '../../ports/broker.ts'

/** One command aimed at one stream, with the decider that judges it. */
export interface Route<
  S = never,
  C extends Command = Command,
  E extends DomainEvent = DomainEvent,
  R extends Rejection = Rejection,
> {
  readonly decider: Decider<S, C, E, R, unknown>
  readonly stream: string
  readonly command: C
  /** It goes on with the conversation of its stream's last event, and not with the message's. */
  readonly ofStream?: true
}

/** A consumer group's work: messages of some topics become commands. */
export interface Processor {
  /** As rejections, dead letters and metrics have it. */
  readonly name: string
  /** Its consumer group, `fonds.<workflow>.<processor>`, where that is not its name. */
  readonly group?: string
  readonly topics: readonly TopicSpec[]
  /**
   * The commands of each message, on different streams: same length, same order. May ask views for the whole batch at once.
   * Called again for halves of a batch that it throws for, down to one message. Throws `UnavailableError` where something
   * is away, `InvalidMessageError` for a message that can never be used; anything else is a bug, and makes the message
   * a dead letter.
   */
  readonly route: (messages: readonly Message[]) => Promise<readonly (readonly Route[])[]>
}

/** A group was once named as its processor. */
export const groupOf = ({ name, group = name }: Processor): Pick<ConsumeOptions, 'group' | 'formerGroup'> =>
  group === name ? { group } : { group, formerGroup: name }
