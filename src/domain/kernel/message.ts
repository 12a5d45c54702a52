import type * as t from 'io-ts'
import type { Origin } from './event.ts'

/** A kind of message that a topic takes. */
export interface MessageSpec<Type extends string = string, Codec extends t.Mixed = t.Mixed> {
  readonly type: Type
  readonly description: string
  readonly codec: Codec
  /** A valid instance, for the generated documents and for tests. */
  readonly example: t.TypeOf<Codec>
  /** Fields that name people, or say freely why (`personal-fields.ts`): they may be kept by reference. */
  readonly personal?: readonly string[]
}

/** A topic: `fonds.<workflow>.<what>`. */
export interface TopicSpec {
  readonly name: string
  readonly description: string
  readonly messages: readonly MessageSpec[]
  /** Type of bare data in a line that names none. Default: the type of a topic that has only one. */
  readonly bareType?: string
  /** Only Fonds writes to it, for itself and for other systems: messages of anybody else are rejected. */
  readonly madeBy?: 'fonds'
  /** The id that orders messages; it is the record's key. Takes decoded data of any of the messages. */
  keyOf(data: unknown): string
}

export const messageSpec = <Type extends string, Codec extends t.Mixed>(
  type: Type,
  description: string,
  codec: Codec,
  example: t.TypeOf<Codec>,
  personal?: readonly string[],
): MessageSpec<Type, Codec> => ({ type, description, codec, example, ...(personal && { personal }) })

/** A topic's messages as a union to match on. */
export type MessagesOf<Topic extends TopicSpec> = {
  [Spec in Topic['messages'][number] as Spec['type']]: Message<Spec['type'], t.TypeOf<Spec['codec']>>
}[Topic['messages'][number]['type']]

/** A decoded CloudEvent. `id` and `source` together identify a message for ever. */
export interface Message<Type extends string = string, Data = unknown> {
  readonly id: string
  readonly source: string
  readonly type: Type
  readonly subject?: string
  /** When it happened, as the producer says; else when the broker accepted it. ISO 8601 UTC. */
  readonly time: string
  readonly data: Data
  readonly correlationId?: string
  readonly traceparent?: string
  /** It came over HTTP: its sender has no access to this machine, and may name none of its files. */
  readonly foreign?: true
  /** Its names as the record has them, if Spring put quotes around one. Older versions of Fonds took the quotes for a part of them. */
  readonly quoted?: MessageIdentity
  readonly origin?: Origin
}

/** The names that together identify a message for ever. */
export interface MessageIdentity {
  readonly id: string
  readonly source: string
}

/** Returns the causation id of the events that a message causes. Unique: its first `#` separates source and id. */
export const causeOf = ({ source, id }: MessageIdentity): string =>
  `${source.replace(/[%#]/g, encodeURIComponent)}#${id}`

/** Returns the causation id that older versions of Fonds gave the events of this message, if it is another one. */
export const formerCauseOf = ({ quoted }: Pick<Message, 'quoted'>): string | undefined =>
  quoted && causeOf(quoted)
