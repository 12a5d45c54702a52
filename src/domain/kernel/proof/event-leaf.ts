import { hash } from 'node:crypto'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { decodeUtf8 } from '../json-text.ts'

/*
 * The entry of an event in the archive's Merkle tree, form `fonds.event/v1`: UTF-8, a field a line, each line ended by one line
 * feed (U+000A; no other character ends a line). One event has one entry, and one entry is of one event.
 *
 *   fonds.event/v1
 *   stream "item-7"
 *   revision 3
 *   id "0190c3b0-0000-7000-8000-000000000003"
 *   type "ItemVerified"
 *   recorded 2026-11-30T13:04:51.123Z
 *   data <SHA-256 of the stored data, 64 digits in lower-case hex>
 *   metadata <SHA-256 of the metadata, without what a copy or a server adds: `own-metadata.ts`>
 *   previous 12
 *
 * Texts are JSON as ECMAScript's `JSON.stringify` writes it. The position in the log is left out: a copy has others.
 */

/** A text; a text whose JSON takes more than `maxTextBytes` stands in an entry as its SHA-256 alone. */
export type LeafText = string | { readonly sha256: string }

/** Hex of a salted commitment to a name that is personal. */
export interface Commitment {
  readonly commitment: string
}

export interface EventLeaf {
  readonly stream: LeafText | Commitment
  readonly revision: bigint
  readonly id: LeafText
  readonly type: LeafText
  /** ISO 8601 UTC with milliseconds: when the event was first recorded. */
  readonly recordedAt: string
  /** SHA-256 in hex. */
  readonly data: string
  /** SHA-256 in hex. */
  readonly metadata: string
  /** Leaf index of the event before it in its stream; undefined: no such leaf. */
  readonly previous: bigint | undefined
}

/** Three texts at this limit, with all other fields, fit in an entry of 65,535 bytes. */
export const maxTextBytes = 16_384

const version = 'fonds.event/v1'

export const eventEntry = (leaf: EventLeaf): string =>
  `${version}\n${textLine('stream', leaf.stream)}revision ${leaf.revision}\n${textLine('id', leaf.id)}${textLine('type', leaf.type)}recorded ${leaf.recordedAt}\ndata ${leaf.data}\nmetadata ${leaf.metadata}\nprevious ${leaf.previous ?? 'none'}\n`

const textLine = (name: string, text: LeafText | Commitment): string => {
  if (typeof text !== 'string')
    return 'sha256' in text ? `${name}-sha256 ${text.sha256}\n` : `${name}-commitment ${text.commitment}\n`
  const json = JSON.stringify(text)
  return isShort(json) ? `${name} ${json}\n` : `${name}-sha256 ${hash('sha256', text, 'hex')}\n`
}

/** A text as an entry gives it. */
export const leafText = (text: string): LeafText =>
  isShort(JSON.stringify(text)) ? text : { sha256: hash('sha256', text, 'hex') }

/** A UTF-16 unit takes at most three bytes. */
const isShort = (json: string): boolean =>
  json.length * 3 <= maxTextBytes || Buffer.byteLength(json) <= maxTextBytes

/** Reads an entry. Left: a sentence with the field, for everything that `eventEntry` does not write. */
export const parseEventEntry = (bytes: Uint8Array): Either<string, EventLeaf> => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return left('the entry is not UTF-8')
  const [first, stream, revision, id, type, recordedAt, data, metadata, previous, end, ...more] =
    text.split('\n')
  if (first !== version) return left(`the entry does not begin with the line ${version}`)
  if (end !== '' || more.length > 0) return left('the entry does not have nine lines')
  const fields = {
    stream: streamIn(stream),
    revision: countIn('revision', revision),
    id: textIn('id', id),
    type: textIn('type', type),
    recordedAt: timeIn(recordedAt),
    data: digestIn('data', data),
    metadata: digestIn('metadata', metadata),
    previous: previous === 'previous none' ? none : countIn('previous', previous),
  }
  const missing = Object.entries(fields).find(([, value]) => value === undefined)
  if (missing) return left(`the entry has no ${missing[0]} in its one form`)
  const leaf = { ...fields, previous: fields.previous === none ? undefined : fields.previous } as EventLeaf
  // An entry has one form, whatever the parts let pass. A byte order mark was dropped.
  return bytes.length === Buffer.byteLength(text) && eventEntry(leaf) === text
    ? right(leaf)
    : left('the entry is not in its one form')
}

const none = Symbol('none')

const valueIn = (name: string, line = ''): string | undefined =>
  line.startsWith(`${name} `) ? line.slice(name.length + 1) : undefined

const digest = /^[0-9a-f]{64}$/
const digestIn = (name: string, line: string | undefined): string | undefined => {
  const value = valueIn(name, line)
  return value !== undefined && digest.test(value) ? value : undefined
}

const streamIn = (line: string | undefined): LeafText | Commitment | undefined => {
  const commitment = digestIn('stream-commitment', line)
  return commitment === undefined ? textIn('stream', line) : { commitment }
}

const textIn = (name: string, line: string | undefined): LeafText | undefined => {
  const sha256 = digestIn(`${name}-sha256`, line)
  if (sha256 !== undefined) return { sha256 }
  try {
    const value: unknown = JSON.parse(valueIn(name, line) ?? 'null')
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const countIn = (name: string, line: string | undefined): bigint | undefined => {
  const value = valueIn(name, line)
  if (value === undefined || !/^(0|[1-9]\d{0,18})$/.test(value)) return undefined
  const count = BigInt(value)
  return count < 2n ** 63n ? count : undefined
}

const timeIn = (line: string | undefined): string | undefined => {
  const value = valueIn('recorded', line)
  const millis = Date.parse(value ?? '')
  return !Number.isNaN(millis) && new Date(millis).toISOString() === value ? value : undefined
}
