import { hash } from 'node:crypto'
import { fromBase64 } from '@fonds/tlog'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { decodeUtf8 } from '../json-text.ts'

/*
 * The entry of an event in the archive's Merkle tree, form `fonds.event/v1`: UTF-8, a field a line, each line ended by one line
 * feed (U+000A; no other character ends a line). One event has one entry, and one entry is of one event.
 *
 *   fonds.event/v1                                  the form
 *   "item-7"                                        stream
 *   3                                               revision
 *   "0190c3b0-0000-7000-8000-000000000003"          id of the event
 *   "ItemVerified"                                  type
 *   2026-11-30T13:04:51.123Z                        when it was recorded
 *   RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=    SHA-256 of the stored data
 *   RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=    SHA-256 of the metadata (`own-metadata.ts`)
 *   12                                              leaf index of the event before it in its stream, or `none`
 *
 * Texts are JSON as ECMAScript's `JSON.stringify` writes it. A long text stands as `sha256:<base64>`, a personal stream as
 * `commitment:<base64>`. The position in the log is left out: a copy has others.
 */

/** A text; a text whose JSON takes more than `maxTextBytes` stands in an entry as its SHA-256 alone, in base64. */
export type LeafText = string | { readonly sha256: string }

/** A salted commitment to a name that is personal: 32 bytes in base64. */
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
  /** SHA-256 in base64. */
  readonly data: string
  /** SHA-256 in base64. */
  readonly metadata: string
  /** Leaf index of the event before it in its stream; undefined: no such leaf. */
  readonly previous: bigint | undefined
}

/** Three texts at this limit, with all other fields, fit in an entry of 65,535 bytes. */
export const maxTextBytes = 16_384

const version = 'fonds.event/v1'

export const eventEntry = (leaf: EventLeaf): string =>
  `${version}\n${textField(leaf.stream)}\n${leaf.revision}\n${textField(leaf.id)}\n${textField(leaf.type)}\n${leaf.recordedAt}\n${leaf.data}\n${leaf.metadata}\n${leaf.previous ?? 'none'}\n`

const textField = (text: LeafText | Commitment): string => {
  if (typeof text !== 'string') return digestField(text)
  const json = JSON.stringify(text)
  return isShort(json) ? json : digestField(digestOf(text))
}

const digestField = (text: Exclude<LeafText, string> | Commitment): string =>
  'sha256' in text ? `sha256:${text.sha256}` : `commitment:${text.commitment}`

const digestOf = (text: string) => ({ sha256: hash('sha256', text, 'base64') })

/** A text as an entry gives it. */
export const leafText = (text: string): LeafText => (isShort(JSON.stringify(text)) ? text : digestOf(text))

/** A UTF-16 unit takes at most three bytes. */
const isShort = (json: string): boolean =>
  json.length * 3 <= maxTextBytes || Buffer.byteLength(json) <= maxTextBytes

/** Reads an entry. Left: a sentence with the field, for everything that `eventEntry` does not write. */
export const parseEventEntry = (bytes: Uint8Array): Either<string, EventLeaf> => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return left('the entry is not UTF-8')
  const [first, stream = '', revision = '', id = '', type = '', recordedAt = '', ...others] = text.split('\n')
  const [data = '', metadata = '', previous = '', end, ...more] = others
  if (first !== version) return left(`the entry does not begin with the line ${version}`)
  if (end !== '' || more.length > 0) return left('the entry does not have nine lines')
  const fields = {
    stream: streamIn(stream),
    revision: countIn(revision),
    id: textIn(id),
    type: textIn(type),
    recordedAt: isTime(recordedAt) ? recordedAt : undefined,
    data: isDigest(data) ? data : undefined,
    metadata: isDigest(metadata) ? metadata : undefined,
    previous: previous === 'none' ? none : countIn(previous),
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

const isDigest = (text: string): boolean => fromBase64(text)?.length === 32

const digestBehind = (name: string, line: string): string | undefined => {
  const digest = line.startsWith(name) ? line.slice(name.length) : ''
  return isDigest(digest) ? digest : undefined
}

const streamIn = (line: string): LeafText | Commitment | undefined => {
  const commitment = digestBehind('commitment:', line)
  return commitment === undefined ? textIn(line) : { commitment }
}

const textIn = (line: string): LeafText | undefined => {
  const sha256 = digestBehind('sha256:', line)
  if (sha256 !== undefined) return { sha256 }
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const countIn = (line: string): bigint | undefined => {
  if (!/^(0|[1-9]\d{0,18})$/.test(line)) return undefined
  const count = BigInt(line)
  return count < 2n ** 63n ? count : undefined
}

const isTime = (line: string): boolean => {
  const millis = Date.parse(line)
  return !Number.isNaN(millis) && new Date(millis).toISOString() === line
}
