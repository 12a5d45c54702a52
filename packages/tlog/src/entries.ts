import type { Bundle } from './tiles.ts'

/* Entry bundles: entries of 256 leaves, each behind its length in two bytes, as c2sp.org/tlog-tiles has them. */

/** The most that an entry may take. */
export const maxEntryBytes = 65_535

/** A bundle to which entries are added. */
export interface GrowingBundle {
  /** How many entries it has. */
  readonly width: number
  /** Adds an entry, a text as its UTF-8. Returns its bytes; a `RangeError` for more than 65,535 leaves the bundle as it was. */
  add(entry: Uint8Array | string): Uint8Array
  /** All of it. What is added later does not change these bytes. */
  bytes(): Uint8Array
}

/** Most bytes of 256 entries of usual length. */
const usualBytes = 65_536

export const growingBundle = (): GrowingBundle => {
  let bundle = Buffer.allocUnsafeSlow(usualBytes)
  let [width, end] = [0, 0]
  const write = (entry: Uint8Array | string, at: number): number => {
    if (typeof entry === 'string') return bundle.write(entry, at)
    bundle.set(entry, at)
    return entry.length
  }
  return {
    get width() {
      return width
    },
    add: (entry) => {
      const start = end + 2
      // A UTF-16 unit takes at most three bytes.
      const most = start + (typeof entry === 'string' ? 3 : 1) * entry.length
      if (most > bundle.length) bundle = Buffer.concat([bundle], Math.max(most, 2 * bundle.length))
      const length = write(entry, start)
      if (length > maxEntryBytes)
        throw new RangeError(`an entry has ${length} bytes, more than ${maxEntryBytes}`)
      bundle.writeUInt16BE(length, end)
      end = start + length
      width++
      return bundle.subarray(start, end)
    },
    bytes: () => bundle.subarray(0, end),
  }
}

/** Throws `RangeError` for an entry of more than 65,535 bytes. */
export const entryBundle = (entries: readonly (Uint8Array | string)[]): Uint8Array => {
  const bundle = growingBundle()
  for (const entry of entries) bundle.add(entry)
  return bundle.bytes()
}

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
