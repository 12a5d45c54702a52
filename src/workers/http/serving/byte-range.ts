/** Bytes of a file, the last one inclusive. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * Parses the header `Range` for a file of `size` bytes (RFC 9110, §14.2): `bytes=0-99`, `bytes=100-`, `bytes=-100`.
 * Invalid ranges, and several at once, are ignored: then it is the whole file.
 */
export const wantedRange = (
  header: string | undefined,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' => {
  const asked = /^bytes\s*=\s*(?<first>\d*)\s*-\s*(?<last>\d*)\s*$/i.exec(header ?? '')?.groups
  if (!asked || (asked.first === '' && asked.last === '')) return 'whole'
  const last = Number(asked.last)
  if (asked.first === '')
    return last === 0 || size === 0 ? 'unsatisfiable' : { from: Math.max(0, size - last), to: size - 1 }
  const from = Number(asked.first)
  if (asked.last !== '' && last < from) return 'whole'
  return from >= size
    ? 'unsatisfiable'
    : { from, to: asked.last === '' ? size - 1 : Math.min(last, size - 1) }
}
