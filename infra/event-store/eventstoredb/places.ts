/** Some of the positions that the server gave out: from those between it does not read. */
export interface Places {
  note(position: bigint): void
  has(position: bigint): boolean
  /** The nearest at or below a position. */
  below(position: bigint): bigint | undefined
  /** The nearest at or above a position. */
  above(position: bigint): bigint | undefined
}

const most = 4096

/** Keeps a bounded number of them, spread over those that were noted. */
export const createPlaces = (): Places => {
  let known: bigint[] = []

  /** Index of the first that is at or above a position. */
  const find = (position: bigint): number => {
    let low = 0
    let high = known.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (known[middle]! < position) low = middle + 1
      else high = middle
    }
    return low
  }
  const has = (position: bigint): boolean => known[find(position)] === position

  return {
    note: (position) => {
      if (position < 0n) return
      const at = find(position)
      if (known[at] === position) return
      known.splice(at, 0, position)
      if (known.length > most) known = known.filter((_, index) => index % 2 === known.length % 2)
    },
    has,
    below: (position) => (has(position) ? position : known[find(position) - 1]),
    above: (position) => known[find(position)],
  }
}
