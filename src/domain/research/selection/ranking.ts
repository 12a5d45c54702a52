const none = new Int32Array(0)

/** A sorted list of numbers that is updated when it is read: many new ones are sorted once, one alone is inserted by bisection. */
export class Ranking {
  /** Grows with each change of the list: places of an earlier edition mean nothing. */
  edition = 0
  #list = none
  /** By number; -1: not in the list. */
  #place: number[] = []
  readonly #wanted = new Set<number>()
  readonly #unsettled = new Set<number>()
  readonly #compare: (one: number, other: number) => number

  constructor(compare: (one: number, other: number) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#wanted.size
  }

  /** Inserts it, or moves it where its rank has changed. */
  put(number: number): void {
    this.#wanted.add(number)
    this.#unsettled.add(number)
  }

  delete(number: number): void {
    if (this.#wanted.delete(number)) this.#unsettled.add(number)
  }

  has(number: number): boolean {
    return this.#wanted.has(number)
  }

  /** The order itself has changed. */
  reorder(): void {
    for (const number of this.#wanted) this.#unsettled.add(number)
  }

  /** Best first. Good until the next change. */
  list(): Int32Array {
    if (this.#unsettled.size > 0) this.#applyUnsettled()
    return this.#list
  }

  /** As of the last `list`; -1 where it was not in it. */
  placeOf(number: number): number {
    return this.#place[number] ?? -1
  }

  #applyUnsettled(): void {
    const fresh: number[] = []
    let moved = false
    for (const number of this.#unsettled) {
      while (this.#place.length <= number) this.#place.push(-1)
      if (this.#place[number] !== -1) moved = true
      this.#place[number] = -1
      if (this.#wanted.has(number)) fresh.push(number)
    }
    this.#unsettled.clear()
    const kept = moved ? this.#list.filter((number) => this.#place[number] !== -1) : this.#list
    this.#list = this.#merge(kept, fresh.sort(this.#compare))
    for (let place = 0; place < this.#list.length; place++) this.#place[this.#list[place]!] = place
    this.edition++
  }

  #merge(kept: Int32Array, fresh: readonly number[]): Int32Array<ArrayBuffer> {
    const merged = new Int32Array(kept.length + fresh.length)
    let from = 0
    for (const [before, number] of fresh.entries()) {
      const to = this.#firstBehind(kept, number, from)
      merged.set(kept.subarray(from, to), from + before)
      merged[to + before] = number
      from = to
    }
    merged.set(kept.subarray(from), from + fresh.length)
    return merged
  }

  #firstBehind(list: Int32Array, number: number, from: number): number {
    let [low, high] = [from, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(list[middle]!, number) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
