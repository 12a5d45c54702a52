import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { clip } from './clip.ts'
import {
  binaryAttributes,
  hasVersion,
  isObject,
  modeOf,
  structured,
  structuredContentType,
  type Wrapped,
} from './envelope.ts'
import { checkJson, decodeUtf8, parseJson } from './json-text.ts'
import type { Message, TopicSpec } from './message.ts'
import { open, typesOf } from './open-envelope.ts'
import { type Unusable, unusable } from './unusable.ts'

export type { Unusable, UnusableReason } from './unusable.ts'

/** What a broker hands over, and which broker did. */
export interface EnvelopeRecord {
  /** Identity of the broker's log. */
  readonly log: string
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly value: string | Uint8Array | null
  /** Headers byte for byte, where `headers` do not say all. */
  readonly raw?: { readonly headers: readonly { readonly name: string; readonly value: Uint8Array }[] }
  /** When the broker took it: ISO 8601 UTC. */
  readonly timestamp: string
}

/** What a broker is handed. */
export interface WrittenRecord {
  readonly topic: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly value: string
}

/**
 * A record as a message: CloudEvents 1.x in binary mode (attributes in `ce_…` headers, names in any case, value = data)
 * or in structured mode (content type `application/cloudevents+json`, or a JSON object with `specversion`).
 *
 * The record's key must be the id that orders the topic. A record without a key is refused as well: the broker put it
 * on any partition, so it may be read before what it follows. That would go wrong seldom and silently; a refusal is
 * loud and tells the producer the key to send.
 */
export const readMessage = (record: EnvelopeRecord, topic: TopicSpec): Either<Unusable, Message> => {
  const wrapped = unwrap(record)
  if (isLeft(wrapped)) return wrapped
  const message = open(wrapped.right, topic, record.timestamp)
  if (isLeft(message)) return message
  const key = topic.keyOf(message.right.data)
  if (record.key !== key) return left(wrongKey(record.key, key, topic))
  const { log, partition, offset, timestamp } = record
  return right({
    ...message.right,
    origin: { log, topic: record.topic, partition, offset: offset.toString(), at: timestamp },
  })
}

const unwrap = (record: EnvelopeRecord): Either<Unusable, Wrapped> => {
  const illegible = illegibleAttribute(record)
  if (illegible !== undefined) return left(notUtf8(illegible))
  const mode = modeOf(record.headers)
  if (isLeft(mode)) return mode
  const json = parseJson(record.value)
  if (isLeft(json)) return json
  if (mode.right === 'binary')
    return right({ attributes: binaryAttributes(record.headers), data: json.right, prefix: 'ce_' })
  if (hasVersion(json.right) || (mode.right === 'structured' && isObject(json.right)))
    return structured(json.right)
  return left(
    unusable(
      'not-a-cloud-event',
      'the record has no CloudEvents attributes: neither ce_… headers nor a JSON object with `specversion`',
    ),
  )
}

/** Read with replacement characters, two ids that differ would be one, and the second message a repeat of the first. */
const illegibleAttribute = ({ raw }: EnvelopeRecord): string | undefined =>
  raw?.headers.find(({ name, value }) => /^ce_/i.test(name) && decodeUtf8(value) === undefined)?.name

const notUtf8 = (name: string): Unusable =>
  unusable('not-utf8', `${name}: is not valid UTF-8; send CloudEvents attributes as UTF-8`, name)

const wrongKey = (key: string | null, wanted: string, topic: TopicSpec): Unusable =>
  unusable(
    'wrong-key',
    `the record ${key === null ? 'has no key' : `has the key "${clip(key, 200)}"`}; on ${topic.name} the key orders ` +
      `messages and must be "${clip(wanted, 200)}"`,
    'key',
  )

/** A message as a record that `readMessage` reads back. Throws on a type that the topic does not take: a bug. */
export const writeMessage = (
  message: Omit<Message, 'origin'>,
  topic: TopicSpec,
  mode: 'binary' | 'structured' = 'binary',
): WrittenRecord => {
  const spec = topic.messages.find((candidate) => candidate.type === message.type)
  if (!spec) throw new Error(`${topic.name} takes no ${message.type}`)
  const attributes = attributesOf(message)
  const data: unknown = spec.codec.encode(message.data)
  const written = { topic: topic.name, key: topic.keyOf(message.data) }
  if (mode === 'structured') {
    const value = JSON.stringify({ ...attributes, datacontenttype: 'application/json', data })
    return { ...written, headers: { 'content-type': structuredContentType }, value }
  }
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  for (const [name, value] of Object.entries(attributes)) headers[`ce_${name}`] = value
  return { ...written, headers, value: JSON.stringify(data) }
}

const attributesOf = (message: Omit<Message, 'origin'>): Record<string, string> => ({
  specversion: '1.0',
  id: message.id,
  source: message.source,
  type: message.type,
  time: message.time,
  ...(message.subject !== undefined && { subject: message.subject }),
  ...(message.correlationId !== undefined && { correlationid: message.correlationId }),
  ...(message.traceparent !== undefined && { traceparent: message.traceparent }),
})

/**
 * A line of `fonds produce` as a message: a CloudEvent; or `{type, data}`, with any other attribute beside them; or
 * the bare data where the topic takes one type of message. `defaults` fill what the latter two leave out.
 */
export const fromLine = (
  json: unknown,
  topic: TopicSpec,
  defaults: { readonly id: string; readonly source: string; readonly time: string },
): Either<Unusable, Message> => {
  const checked = checkJson(json)
  if (isLeft(checked)) return checked
  if (hasVersion(json)) {
    const wrapped = structured(json)
    return isLeft(wrapped) ? wrapped : open(wrapped.right, topic, defaults.time)
  }
  const given = { id: defaults.id, source: defaults.source, specversion: '1.0' }
  if (isBareEvent(json))
    return open({ attributes: { ...given, ...json }, data: json.data, prefix: '' }, topic, defaults.time)
  const [only, ...others] = topic.messages
  if (only && others.length === 0)
    return open({ attributes: { ...given, type: only.type }, data: json, prefix: '' }, topic, defaults.time)
  const sentence = `the line does not say its type; write {"type": …, "data": …} with one of ${typesOf(topic)}`
  return left(unusable('unknown-type', sentence, 'type'))
}

const bareNames = new Set(['id', 'source', 'type', 'time', 'subject', 'correlationid', 'traceparent', 'data'])

/** Nothing but an envelope: data that have a `type` and a `data` field among others are not taken for one. */
const isBareEvent = (json: unknown): json is Readonly<Record<string, unknown>> =>
  isObject(json) &&
  Object.hasOwn(json, 'type') &&
  Object.hasOwn(json, 'data') &&
  Object.keys(json).every((name) => bareNames.has(name))
