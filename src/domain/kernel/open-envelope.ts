import * as E from 'fp-ts/lib/Either.js'
import { acceptWithNulls } from './absent-nulls.ts'
import { clip } from './clip.ts'
import { explain, pathOf, Time } from './codecs.ts'
import type { Attributes, Wrapped } from './envelope.ts'
import type { Origin } from './event.ts'
import { type InvalidMessage, invalidMessage } from './invalid-message.ts'
import type { Message, TopicSpec } from './message.ts'
import type { Writable } from './writable.ts'

/**
 * Decodes attributes and data to a message of the topic. `fallbackTime` replaces an absent `time`; `origin` is the
 * message's place.
 */
export const open = (
  wrapped: Wrapped,
  topic: TopicSpec,
  fallbackTime: string,
  origin?: Origin,
): E.Either<InvalidMessage, Message> => {
  const { attributes, data, prefix } = wrapped
  const invalid = invalidAttribute(attributes, prefix)
  if (invalid) return E.left(invalid)
  const { id, source, type, subject, correlationid, traceparent } = attributes as CheckedAttributes
  const spec = topic.messages.find((candidate) => candidate.type === type)
  if (!spec) return E.left(unknownType(type, topic))
  const time = attributes.time == null ? fallbackTime : decodeTime(attributes.time)
  if (time === undefined) return E.left(badTime(attributes.time, prefix))
  if (data === undefined)
    return E.left(
      invalidMessage('wrong-shape', `data: is missing; ${type} carries its content there`, 'data'),
    )
  const decoded = acceptWithNulls(spec.codec, data)
  if (E.isLeft(decoded)) {
    const path = pathOf(decoded.left[0]?.context ?? [])
    return E.left(
      invalidMessage('wrong-shape', `${type}: ${explain(decoded.left)}`, path ? `data.${path}` : 'data'),
    )
  }
  const message: Writable<Message> = { id, source, type, time, data: decoded.right }
  if (subject != null) message.subject = subject
  if (correlationid != null) message.correlationId = correlationid
  if (traceparent != null && isTraceParent(traceparent)) message.traceparent = traceparent
  // A sender may mark itself as foreign; the HTTP entry marks its messages itself.
  if (attributes.foreign === 'true') message.foreign = true
  if (wrapped.quoted) message.quoted = wrapped.quoted
  if (origin) message.origin = origin
  return E.right(message)
}

/** Attributes that `invalidAttribute` accepts. */
interface CheckedAttributes {
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject?: string | null
  readonly correlationid?: string | null
  readonly traceparent?: string | null
}

const required = ['id', 'source', 'type', 'specversion'] as const
const optional = ['subject', 'correlationid', 'traceparent'] as const
/** Limited because ids and sources are stored with every event they cause. */
const maxAttributeLength = 1024

const invalidAttribute = (attributes: Attributes, prefix: string): InvalidMessage | undefined => {
  for (const name of required) if (attributes[name] == null) return missingAttributes(attributes, prefix)
  for (const name of required)
    if (!isAttribute(attributes[name])) return badAttribute(name, attributes[name], prefix)
  for (const name of optional)
    if (attributes[name] != null && !isAttribute(attributes[name]))
      return badAttribute(name, attributes[name], prefix)
  if (!/^1\.\d+$/.test(String(attributes.specversion)))
    return invalidMessage(
      'not-a-cloud-event',
      `${prefix}specversion: is ${clip(String(attributes.specversion), 80)}; Fonds reads CloudEvents 1.0`,
      `${prefix}specversion`,
    )
  return undefined
}

const missingAttributes = (attributes: Attributes, prefix: string): InvalidMessage => {
  const missing = required.filter((name) => attributes[name] == null)
  return invalidMessage(
    'not-a-cloud-event',
    `the CloudEvent lacks ${missing.map((name) => prefix + name).join(', ')}; every message carries ${required.map((name) => prefix + name).join(', ')}`,
    `${prefix}${missing[0]}`,
  )
}

/** A non-empty CloudEvents String without control characters or lone surrogates. */
const isAttribute = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= maxAttributeLength &&
  !/\p{Cc}/u.test(value) &&
  value.isWellFormed()

const badAttribute = (name: string, value: unknown, prefix: string): InvalidMessage =>
  invalidMessage(
    'not-a-cloud-event',
    `${prefix}${name}: wants text of 1 to ${maxAttributeLength} characters without control characters, got ${clip(JSON.stringify(value), 80)}`,
    `${prefix}${name}`,
  )

const badTime = (value: unknown, prefix: string): InvalidMessage => {
  const isLeapSecond = typeof value === 'string' && /:60(\D|$)/.test(value)
  const why = isLeapSecond
    ? 'a leap second cannot be kept: send the second before it'
    : 'wants a time with a zone such as 2026-01-31T12:00:00Z'
  const sentence = `${prefix}time: ${why}, got ${clip(JSON.stringify(value), 80)}`
  return invalidMessage('not-a-cloud-event', sentence, `${prefix}time`)
}

/** The types a topic takes, for a sentence. */
export const typesOf = (topic: TopicSpec): string => topic.messages.map((spec) => spec.type).join(', ')

const unknownType = (type: string, topic: TopicSpec): InvalidMessage =>
  invalidMessage(
    'unknown-type',
    `${topic.name} takes no ${clip(type, 80)}; it takes ${typesOf(topic)}`,
    'type',
  )

const decodeTime = (value: unknown): string | undefined => {
  const decoded = Time.decode(value)
  return E.isLeft(decoded) ? undefined : decoded.right
}

/** W3C Trace Context: a malformed traceparent is to be ignored. */
const isTraceParent = (text: string): boolean =>
  /^(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}/.test(text)
