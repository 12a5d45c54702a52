/* A file of lines in parts that a request takes: it may be larger than memory. */

export interface Part {
  /** Number of its first line, from 1, as an editor shows it. */
  readonly first: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Limits {
  readonly maxBytes: number
  readonly maxLines: number
}

const newline = 10

/** Whole lines, as many as the limits take. A line that is longer than a part is a part of its own: the server says why it is too long. */
export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, maxLines }: Limits,
): AsyncGenerator<Part> {
  let lines: Uint8Array[] = []
  let open: Uint8Array[] = []
  let bytes = 0
  let first = 1
  const part = (): Part => ({ first, bytes: joined(lines) })
  const sizeOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0)
  function* close(): Generator<Part> {
    const size = sizeOf(open)
    if (lines.length > 0 && (bytes + size > maxBytes || lines.length >= maxLines)) {
      yield part()
      first += lines.length
      lines = []
      bytes = 0
    }
    lines.push(joined(open))
    bytes += size
    open = []
  }
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(newline, start) + 1
      open.push(chunk.slice(start, end === 0 ? chunk.length : end))
      if (end === 0) break
      yield* close()
      start = end
    }
  }
  if (open.length > 0) yield* close()
  if (lines.length > 0) yield part()
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
