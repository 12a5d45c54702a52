import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { clip } from './clip.ts'
import {
  type Attributes,
  binaryAttributes,
  hasVersion,
  isObject,
  modeOf,
  structured,
  structuredContentType,
  type Wrapped,
} from './envelope.ts'
import { type InvalidMessage, invalidMessage } from './invalid-message.ts'
import { checkJson, decodeUtf8, parseJson } from './json-text.ts'
import type { Message, TopicSpec } from './message.ts'
import { open, typesOf } from './open-envelope.ts'
import { springHeaders } from './spring-headers.ts'

export type { InvalidMessage, InvalidReason } from './invalid-message.ts'

/** A record as a broker delivers it, with the identity of the broker's log. */
export interface EnvelopeRecord {
  /** Identity of the broker's log. */
  readonly log: string
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly key: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly value: string | Uint8Array | null
  /** Headers byte for byte, if `headers` cannot represent them all. */
  readonly raw?: { readonly headers: readonly { readonly name: string; readonly value: Uint8Array }[] }
  /** When the broker accepted it: ISO 8601 UTC. */
  readonly timestamp: string
}

/** A record to be written to a broker. */
interface WrittenRecord {
  readonly topic: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly value: string
}

/**
 * Decodes a record to a message: CloudEvents 1.x in binary mode (attributes in `ce_…` headers, names in any case, value
 * = data) or in structured mode (content type `application/cloudevents+json`, or a JSON object with `specversion`).
 *
 * The record's key must be the id that orders the topic. A record without a key is invalid too: the broker put it on
 * any partition, so it may be read before the messages that it follows. Such errors would be rare and silent. A dead
 * letter is visible, and names the key to send.
 *
 * All messages pass through here: guard clauses take a third of the time of a `pipe`.
 */
export const readMessage = (record: EnvelopeRecord, topic: TopicSpec): E.Either<InvalidMessage, Message> => {
  const wrapped = unwrap(record)
  if (E.isLeft(wrapped)) return wrapped
  const { log, partition, offset, timestamp } = record
  const origin = { log, topic: record.topic, partition, offset: offset.toString(), at: timestamp }
  const message = open(wrapped.right, topic, timestamp, origin)
  if (E.isLeft(message)) return message
  const key = topic.keyOf(message.right.data)
  return record.key === key ? message : E.left(wrongKey(record.key, key, topic))
}

const unwrap = (record: EnvelopeRecord): E.Either<InvalidMessage, Wrapped> => {
  const illegible = illegibleAttribute(record)
  if (illegible !== undefined) return E.left(notUtf8(illegible))
  const headers = springHeaders(record.headers)
  const mode = modeOf(headers)
  if (E.isLeft(mode)) return mode
  const json = parseJson(record.value)
  if (E.isLeft(json)) return json
  if (mode.right === 'binary') {
    const attributes = binaryAttributes(headers)
    const wrapped: Wrapped = { attributes, data: json.right, prefix: 'ce_' }
    return E.right(
      headers === record.headers ? wrapped : { ...wrapped, ...quotedNames(attributes, record.headers) },
    )
  }
  return hasVersion(json.right) || (mode.right === 'structured' && isObject(json.right))
    ? structured(json.right)
    : E.left(noAttributes)
}

/** Id and source as they stand in the headers, if quotes were taken off them. */
const quotedNames = (unquoted: Attributes, headers: EnvelopeRecord['headers']): Pick<Wrapped, 'quoted'> => {
  const { id, source } = binaryAttributes(headers)
  return (id !== unquoted.id || source !== unquoted.source) &&
    typeof id === 'string' &&
    typeof source === 'string'
    ? { quoted: { id, source } }
    : {}
}

const noAttributes = invalidMessage(
  'not-a-cloud-event',
  'the record has no CloudEvents attributes: neither ce_… headers nor a JSON object with `specversion`',
)

/** Replacement characters would make two ids equal, and the second message a repeat of the first. */
const illegibleAttribute = ({ raw }: EnvelopeRecord): string | undefined =>
  raw?.headers.find(({ name, value }) => /^ce_/i.test(name) && decodeUtf8(value) === undefined)?.name

const notUtf8 = (name: string): InvalidMessage =>
  invalidMessage('not-utf8', `${name}: is not valid UTF-8; send CloudEvents attributes as UTF-8`, name)

const wrongKey = (key: string | null, wanted: string, topic: TopicSpec): InvalidMessage => {
  const is = key === null ? 'has no key' : `has the key "${clip(key, 200)}"`
  const must = `on ${topic.name} the key orders messages and must be "${clip(wanted, 200)}"`
  return invalidMessage('wrong-key', `the record ${is}; ${must}`, 'key')
}

/** Encodes a message as a record that `readMessage` reads back. Throws on a type that the topic does not take: a bug. */
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
  ...(message.foreign && { foreign: 'true' }),
})

/**
 * Decodes a line of `fonds produce`: a CloudEvent; or `{type, data}`, with any other attribute beside them; or bare
 * data, if the topic takes one type of message or names its bare type. `defaults` fill in what the latter two omit.
 */
export const fromLine = (
  json: unknown,
  topic: TopicSpec,
  defaults: { readonly id: string; readonly source: string; readonly time: string },
): E.Either<InvalidMessage, Message> => {
  const wrap = (): E.Either<InvalidMessage, Wrapped> => {
    if (hasVersion(json)) return structured(json)
    const given = { id: defaults.id, source: defaults.source, specversion: '1.0' }
    if (isBareEvent(json))
      return E.right({ attributes: { ...given, ...withoutNulls(json) }, data: json.data, prefix: '' })
    const type = bareTypeOf(topic)
    if (type !== undefined) return E.right({ attributes: { ...given, type }, data: json, prefix: '' })
    const sentence = `the line does not say its type; write {"type": …, "data": …} with one of ${typesOf(topic)}`
    return E.left(invalidMessage('unknown-type', sentence, 'type'))
  }
  return pipe(
    checkJson(json),
    E.chain(wrap),
    E.chain((wrapped) => open(wrapped, topic, defaults.time)),
  )
}

const bareTypeOf = ({ messages, bareType }: TopicSpec): string | undefined =>
  bareType ?? (messages.length === 1 ? messages[0]?.type : undefined)

const bareNames = new Set(['id', 'source', 'type', 'time', 'subject', 'correlationid', 'traceparent', 'data'])

/**
 * True for an object with `type`, `data` and attributes alone. Data with fields `type`, `data` and others are no
 * envelope.
 */
const isBareEvent = (json: unknown): json is Readonly<Record<string, unknown>> =>
  isObject(json) &&
  Object.hasOwn(json, 'type') &&
  Object.hasOwn(json, 'data') &&
  Object.keys(json).every((name) => bareNames.has(name) || json[name] === null)

/** An attribute that is null is absent. */
const withoutNulls = (json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))
