/** The place of a message in its topic. Folded per stream, it shows whether a message is redelivered or new. */
export interface Origin {
  /** Identity of the broker's log: in another one, offsets begin again. */
  readonly log: string
  readonly topic: string
  readonly partition: number
  /** Decimal text: JSON has no 64-bit integers. */
  readonly offset: string
  /** When the broker accepted it: ISO 8601 UTC. In a topic that was recreated, offsets begin again, but time goes on. */
  readonly at?: string
}

export interface EventMetadata {
  /** A person, a producer's `source`, or a part of Fonds. */
  readonly actor: string
  /** The message or event that caused this one. */
  readonly causationId: string
  /** The first cause of the whole correlation. */
  readonly correlationId: string
  /** Number of the schema of `data`, from 1. */
  readonly schema: number
  readonly origin?: Origin
  /** W3C trace context of the span that wrote the event, when tracing is on. */
  readonly traceparent?: string
}

/** An event as a decider returns it. */
export interface DomainEvent {
  readonly type: string
  readonly data: unknown
}

/** An event ready to be stored. */
export interface NewEvent {
  /** UUID; UUIDv5 of stream, cause, index and content where there is a cause, so that a retried append is recognised. */
  readonly id: string
  readonly type: string
  readonly data: unknown
  /** `data` as JSON text, if available; `data` must then equal the parsed text. */
  readonly json?: string
  readonly metadata: EventMetadata
}

/** An event as the log holds it. */
export interface RecordedEvent extends Omit<NewEvent, 'json'> {
  readonly stream: string
  /** Place in its stream, from 0. */
  readonly revision: bigint
  /** Place in the whole log; grows, with gaps. */
  readonly position: bigint
  /** When the log appended it: ISO 8601 UTC with milliseconds; never decreases with position. */
  readonly recordedAt: string
}

/** `category-id`; a category has no dash. */
export const streamName = (category: string, id: string): string => `${category}-${id}`

export const categoryOf = (stream: string): string => {
  const dash = stream.indexOf('-')
  return dash < 0 ? stream : stream.slice(0, dash)
}

/** The part behind the first dash; the whole name where there is none. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1)

/** Events scanned at a time: other reads run between the parts of a long search. */
export const maxScanned = 10_000
