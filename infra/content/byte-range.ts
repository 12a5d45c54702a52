/** Offsets in bytes: `from` inclusive, `to` exclusive, `from <= to <= size`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The part of a content of `size` bytes that a reading asks for, as `subarray(from, to)` picks it. Throws a
 * `RangeError` for offsets that are no whole numbers from 0 on.
 */
export const rangeIn = (
  size: number,
  { from = 0, to = size }: { readonly from?: number; readonly to?: number },
): ByteRange => {
  for (const offset of [from, to])
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new RangeError(`a byte offset must be a whole number from 0 on, not ${offset}`)
  const start = Math.min(from, size)
  return { from: start, to: Math.max(start, Math.min(to, size)) }
}
