const maxParts = 10_000
/** versitygw on ext4 completes 500 parts, and not 1,536: it keeps their list in an attribute of the file. */
const fewParts = 400
const largePart = 64 * 1024 ** 2

/** Size of the parts of a file: few parts, none so large that it fills memory, unless they were more than 10,000. */
export const partBytesOf = (size: number, least: number): number =>
  Math.max(least, Math.min(largePart, Math.ceil(size / fewParts)), Math.ceil(size / maxParts))

/** Joins pieces into parts of one size; the last may be smaller, and there is none of no bytes. */
export async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    let rest = piece
    while (size + rest.length >= partBytes) {
      const fitting = partBytes - size
      yield Buffer.concat([...held, rest.subarray(0, fitting)])
      rest = rest.subarray(fitting)
      held = []
      size = 0
    }
    if (rest.length > 0) held.push(rest)
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(held)
}
