import type { IncomingHttpHeaders } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { fromLine } from '../domain/kernel/cloud-event.ts'
import { type Attributes, hasVersion, invalidContentType } from '../domain/kernel/envelope.ts'
import { type InvalidMessage, invalidMessage } from '../domain/kernel/invalid-message.ts'
import { parseJson } from '../domain/kernel/json-text.ts'
import type { Message, TopicSpec } from '../domain/kernel/message.ts'
import { open } from '../domain/kernel/open-envelope.ts'

/* Messages over HTTP, as CloudEvents' HTTP binding has them: binary, structured, batched; and lines of JSON. */

/** A message of a body; `line` counts from 1. */
export interface Line {
  readonly line: number
  readonly message: Either<InvalidMessage, Message>
}

export type MessageBody =
  | { readonly kind: 'one'; readonly message: Either<InvalidMessage, Message> }
  /** Decoded one by one: invalid messages are never all in memory. */
  | { readonly kind: 'several'; readonly lines: Iterable<Line> }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'unreadable'; readonly invalid: InvalidMessage }
  | { readonly kind: 'unknown-type' }

/** Messages of a body at most; blank lines count. */
export const maxMessages = 10_000

export const messageTypes = {
  structured: 'application/cloudevents+json',
  batch: 'application/cloudevents-batch+json',
  lines: 'application/x-ndjson',
  json: 'application/json',
} as const

/** Attributes of a line that lacks them; the id follows from its place in the body. */
export interface Defaults {
  readonly time: string
  readonly source: string
  readonly idOf: (line: number) => string
}

export const readMessages = (
  topic: TopicSpec,
  headers: IncomingHttpHeaders,
  bytes: Uint8Array,
  defaults: Defaults,
): MessageBody => {
  const line = (json: unknown, number: number): Either<InvalidMessage, Message> =>
    fromLine(json, topic, { ...defaults, id: defaults.idOf(number) })
  const event = (json: unknown, number: number) => (hasVersion(json) ? line(json, number) : noVersion)

  switch (mediaType(headers)) {
    case messageTypes.structured:
      return one(parseJson(bytes), (json) => event(json, 1))
    case messageTypes.batch:
      return batch(parseBatch(bytes), event)
    case messageTypes.lines:
    case 'application/ndjson':
    case 'application/jsonl':
      return several(linesOf(bytes), (each, number) =>
        thenRead(parseJson(each), (json) => line(json, number)),
      )
    case messageTypes.json:
      return isBinary(headers)
        ? binary(topic, headers, bytes, defaults)
        : one(parseJson(bytes), (json) => line(json, 1))
    default:
      // No page sends this header without asking first: other bodies without a type may come from any page.
      return headers['ce-specversion'] === undefined
        ? { kind: 'unknown-type' }
        : binary(topic, headers, bytes, defaults)
  }
}

/** Data of any JSON media type, or of none: as on a broker's topic. */
const binary = (
  topic: TopicSpec,
  headers: IncomingHttpHeaders,
  bytes: Uint8Array,
  { time }: Defaults,
): MessageBody => {
  const contentType = headers['content-type']
  const invalid = contentType === undefined ? undefined : invalidContentType(contentType, 'content-type')
  if (invalid)
    return invalid.reason === 'not-json' ? { kind: 'unknown-type' } : { kind: 'one', message: left(invalid) }
  return one(parseJson(bytes), (json) =>
    open({ attributes: binaryAttributes(headers), data: json, prefix: 'ce-' }, topic, time),
  )
}

const mediaType = (headers: IncomingHttpHeaders): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()

type Read = (json: unknown, number: number) => Either<InvalidMessage, Message>

const thenRead = (
  parsed: Either<InvalidMessage, unknown>,
  read: (json: unknown) => Either<InvalidMessage, Message>,
): Either<InvalidMessage, Message> => (isLeft(parsed) ? parsed : read(parsed.right))

const one = (
  parsed: Either<InvalidMessage, unknown>,
  read: (json: unknown) => Either<InvalidMessage, Message>,
): MessageBody => ({
  kind: 'one',
  message: thenRead(parsed, read),
})

const batch = (parsed: Either<InvalidMessage, readonly unknown[]>, read: Read): MessageBody =>
  isLeft(parsed) ? { kind: 'unreadable', invalid: parsed.left } : several(parsed.right, read)

const several = <A>(
  given: readonly (A | undefined)[],
  read: (each: A, number: number) => Either<InvalidMessage, Message>,
): MessageBody =>
  given.length > maxMessages ? { kind: 'too-many' } : { kind: 'several', lines: readEach(given, read) }

function* readEach<A>(
  given: readonly (A | undefined)[],
  read: (each: A, number: number) => Either<InvalidMessage, Message>,
): Generator<Line> {
  for (const [i, each] of given.entries())
    if (each !== undefined) yield { line: i + 1, message: read(each, i + 1) }
}

const noVersion = left(
  invalidMessage(
    'not-a-cloud-event',
    'is no CloudEvent: it lacks specversion; send bare data as application/x-ndjson instead',
    'specversion',
  ),
)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bounds hold for each event: the batch may be larger. */
const parseBatch = (bytes: Uint8Array): Either<InvalidMessage, readonly unknown[]> => {
  try {
    const json: unknown = JSON.parse(utf8.decode(bytes))
    return Array.isArray(json)
      ? right(json)
      : left(invalidMessage('not-json', 'a batch is a JSON array of CloudEvents'))
  } catch (error) {
    return left(invalidMessage('not-json', `the batch is not JSON in UTF-8: ${(error as Error).message}`))
  }
}

const newline = 10
const blank = new Set([9, 10, 13, 32])

/** Lines with their numbers, as an editor shows them; blank ones are undefined. No more than show that there are too many. */
const linesOf = (bytes: Uint8Array): readonly (Uint8Array | undefined)[] => {
  const lines: (Uint8Array | undefined)[] = []
  for (let start = 0; start < bytes.length && lines.length <= maxMessages; ) {
    const found = bytes.indexOf(newline, start)
    const end = found < 0 ? bytes.length : found
    const line = bytes.subarray(start, end)
    lines.push(line.every((byte) => blank.has(byte)) ? undefined : line)
    start = end + 1
  }
  return lines
}

const isBinary = (headers: IncomingHttpHeaders): boolean =>
  ['ce-specversion', 'ce-id', 'ce-source', 'ce-type'].some((name) => headers[name] !== undefined)

const binaryAttributes = (headers: IncomingHttpHeaders): Attributes => {
  const attribute = (name: string) => unescaped(headers[`ce-${name}`])
  return {
    id: attribute('id'),
    source: attribute('source'),
    type: attribute('type'),
    specversion: attribute('specversion'),
    time: attribute('time'),
    subject: attribute('subject'),
    correlationid: attribute('correlationid'),
    traceparent: attribute('traceparent') ?? headers.traceparent,
  }
}

/**
 * As the HTTP binding has it (1.0.2, §3.1.3.2): quotes around a text and the backslashes in it are taken off, then it is
 * percent-decoded, once. Other text is taken as it stands.
 */
const unescaped = (value: string | string[] | undefined): unknown => {
  if (typeof value !== 'string') return value
  const text = quotedString.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** RFC 7230 §3.2.6. */
const quotedString = /^"(?:[^"\\]|\\.)*"$/
