import { entryForm, leafLine } from './event-leaf.ts'

/*
 * The row of a stream in the statement `StreamsSealed`, form `fonds.stream/v1`: UTF-8, three lines, each ended by one line feed.
 *
 *   fonds.stream/v1     the form
 *   "item-7"            the stream, as the entries of its events have it
 *   800                 leaf index of its newest event
 *
 * Rows stand in the order of the bytes of the streams' names in UTF-8; a name that stands as a digest counts as `{"sha256":"…"}`,
 * one that stands as a commitment as `{"commitment":"…"}`.
 */

export const streamForm = 'fonds.stream/v1'

export const streamEntry = (line: string, leaf: bigint | number | string): string =>
  `${streamForm}\n${line}\n${leaf}\n`

const digestKey = /^\{"(sha256|commitment)":"([A-Za-z0-9+/]{43}=)"\}$/

/** The line of a stream, by its name among heads. */
export const lineOfKey = (key: string): string => {
  const [, kind, digest] = digestKey.exec(key) ?? []
  return kind === undefined ? leafLine(key) : `${kind}:${digest}`
}

/** The name among heads of the stream of an event's entry; undefined for an entry that is no event. */
export const keyOfEntry = (entry: Uint8Array): string | undefined => {
  const [form, line = ''] = Buffer.from(entry.buffer, entry.byteOffset, entry.length)
    .toString()
    .split('\n', 2)
  if (form !== entryForm) return undefined
  const [, kind, digest] = /^(sha256|commitment):(.*)$/.exec(line) ?? []
  if (kind !== undefined) return `{"${kind}":"${digest}"}`
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
