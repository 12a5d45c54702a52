import type { Source } from '../source.ts'

/** Range of a file's bytes. `to` is exclusive. */
export interface Part {
  readonly from: number
  readonly to: number
}

export interface JoinedParts extends Source {
  /** Maps an offset in the parts to one in the file. */
  placeOf(offset: number): number
}

/** Joins parts of a file, in their order, into one source, behind a head that the file does not have. */
export const joinParts = (file: Source, parts: readonly Part[], head: Buffer): JoinedParts => {
  const starts: number[] = []
  let size = head.length
  for (const { from, to } of parts) {
    starts.push(size)
    size += to - from
  }
  /** The last part that begins at or before an offset; -1: the head has it. */
  const partAt = (offset: number): number => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }
  const placeOf = (offset: number): number => {
    const i = partAt(offset)
    return i < 0 ? 0 : parts[i]!.from + offset - starts[i]!
  }
  return {
    size,
    placeOf,
    read: (offset, buffer) => {
      const i = partAt(offset)
      if (i < 0) return head.copy(buffer, 0, offset)
      const at = placeOf(offset)
      return file.read(at, buffer.subarray(0, parts[i]!.to - at))
    },
  }
}
