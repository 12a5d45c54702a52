/** A value that is below no limit. */
export const never = 0x7fffffff

/** A segment tree of minima: the first value below a limit is one descent. */
export class MinimumTree {
  #width = 1
  /** Node n stands above 2n and 2n + 1; the values are the last `width` nodes. */
  #least = Int32Array.of(never, never)

  build(values: Int32Array): void {
    this.#width = 1
    while (this.#width < values.length) this.#width *= 2
    this.#least = new Int32Array(2 * this.#width).fill(never)
    this.#least.set(values, this.#width)
    for (let node = this.#width - 1; node > 0; node--)
      this.#least[node] = Math.min(this.#least[2 * node]!, this.#least[2 * node + 1]!)
  }

  set(place: number, value: number): void {
    let node = this.#width + place
    this.#least[node] = value
    for (node >>= 1; node > 0; node >>= 1) {
      const least = Math.min(this.#least[2 * node]!, this.#least[2 * node + 1]!)
      if (least === this.#least[node]) return
      this.#least[node] = least
    }
  }

  at(place: number): number {
    return this.#least[this.#width + place]!
  }

  /** The place of the first value below the limit; -1 where none is. */
  firstBelow(limit: number): number {
    if (this.#least[1]! >= limit) return -1
    let node = 1
    while (node < this.#width) {
      node *= 2
      if (this.#least[node]! >= limit) node++
    }
    return node - this.#width
  }
}
