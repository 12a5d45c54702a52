import type { Bundle } from './tiles.ts'

/* Entry bundles: entries of 256 leaves, each behind its length in two bytes, as c2sp.org/tlog-tiles has them. */

/** The most that an entry may take. */
export const maxEntryBytes = 65_535

/** Throws `RangeError` for an entry of more than 65,535 bytes. */
export const entryBundle = (entries: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > maxEntryBytes)
        throw new RangeError(`an entry has ${entry.length} bytes, more than ${maxEntryBytes}`)
      return [Buffer.from([entry.length >> 8, entry.length & 0xff]), entry]
    }),
  )

/** Returns the entries of a bundle; undefined if there are fewer or more than its width says. */
export const entriesIn = (bytes: Uint8Array, { width }: Bundle): readonly Uint8Array[] | undefined => {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + ((bytes[at]! << 8) | (bytes[at + 1] ?? 0))
    if (at + 2 > bytes.length || end > bytes.length) return undefined
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries.length === width ? entries : undefined
}
