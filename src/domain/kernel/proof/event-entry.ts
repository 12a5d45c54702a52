/*
 * The entry of an event in the archive's Merkle tree, form `fonds.event/v1`: UTF-8, a field a line, each line ended by one line
 * feed (U+000A; no other character ends a line). One event has one entry, and one entry is of one event. Browsers write it, too.
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

export const entryForm = 'fonds.event/v1'

/** `digest`: SHA-256 of a text in base64; it is asked for texts that are not short. */
export const entryText = (leaf: EventLeaf, digest: (text: string) => string): string => {
  const { stream, revision, id, type, recordedAt, data, metadata, previous } = leaf
  return `${entryForm}\n${textLine(stream, digest)}\n${revision}\n${textLine(id, digest)}\n${textLine(type, digest)}\n${recordedAt}\n${data}\n${metadata}\n${previous ?? 'none'}\n`
}

/** A text, or the digest or commitment that stands for it, as people read it: `sha256:<base64>`. */
export const leafName = (text: LeafText | Commitment): string =>
  typeof text === 'string'
    ? text
    : 'sha256' in text
      ? `sha256:${text.sha256}`
      : `commitment:${text.commitment}`

/** The line of a text in an entry. */
export const textLine = (text: LeafText | Commitment, digest: (text: string) => string): string => {
  if (typeof text !== 'string') return leafName(text)
  const json = JSON.stringify(text)
  return isShortJson(json) ? json : `sha256:${digest(text)}`
}

/** A UTF-16 unit takes at most three bytes. */
const isShortJson = (json: string): boolean =>
  json.length * 3 <= maxTextBytes ||
  (json.length <= maxTextBytes && new TextEncoder().encode(json).length <= maxTextBytes)

/** Whether an entry has the text as it is. */
export const isShort = (text: string): boolean => isShortJson(JSON.stringify(text))
