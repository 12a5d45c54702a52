import { hash } from 'node:crypto'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { decodeUtf8 } from '../json-text.ts'
import {
  type Commitment,
  type EventLeaf,
  entryForm,
  entryText,
  isShort,
  type LeafText,
  textLine,
} from './event-entry.ts'

export {
  type Commitment,
  type EventLeaf,
  entryForm,
  type LeafText,
  leafName,
  maxTextBytes,
} from './event-entry.ts'

/* Writes and reads entries of the form `fonds.event/v1`. */

const digestOf = (text: string): string => hash('sha256', text, 'base64')

export const eventEntry = (leaf: EventLeaf): string => entryText(leaf, digestOf)

/** The line of a text in an entry. */
export const leafLine = (text: string): string => textLine(text, digestOf)

/** A text as an entry gives it. */
export const leafText = (text: string): LeafText => (isShort(text) ? text : { sha256: digestOf(text) })

/** Reads an entry. Left: a sentence with the field, for everything that `eventEntry` does not write. */
export const parseEventEntry = (bytes: Uint8Array): Either<string, EventLeaf> => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return left('the entry is not UTF-8')
  const [first, stream = '', revision = '', id = '', type = '', recordedAt = '', ...others] = text.split('\n')
  const [data = '', metadata = '', previous = '', end, ...more] = others
  if (first !== entryForm) return left(`the entry does not begin with the line ${entryForm}`)
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

/** 32 bytes in base64 have one form, whose last digit has no bits behind the end. */
const isDigest = (text: string): boolean => /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text)

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
