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
