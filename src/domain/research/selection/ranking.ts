/**
 * Numbers in an order that is mended only when somebody looks: what comes in bulk is sorted once, what comes alone finds
 * its place by halving. An order says nothing of a number that is not in it.
 */
export class Ranking {
  /** Grows whenever the list has changed: places of an earlier edition mean nothing. */
  edition = 0
  #list: number[] = []
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

  /** Puts it where it belongs, also when that has changed. */
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
  list(): readonly number[] {
    if (this.#unsettled.size > 0) this.#settle()
    return this.#list
  }

  /** As of the last look at the list; -1 where it was not in it. */
  placeOf(number: number): number {
    return this.#place[number] ?? -1
  }

  #settle(): void {
    const fresh: number[] = []
    for (const number of this.#unsettled) {
      while (this.#place.length <= number) this.#place.push(-1)
      this.#place[number] = -1
      if (this.#wanted.has(number)) fresh.push(number)
    }
    this.#unsettled.clear()
    const kept = this.#list.filter((number) => this.#place[number] !== -1)
    this.#list = this.#merge(kept, fresh.sort(this.#compare))
    for (const [place, number] of this.#list.entries()) this.#place[number] = place
    this.edition++
  }

  #merge(kept: readonly number[], fresh: readonly number[]): number[] {
    const merged: number[] = []
    let from = 0
    for (const number of fresh) {
      const to = this.#firstBehind(kept, number, from)
      while (from < to) merged.push(kept[from++]!)
      merged.push(number)
    }
    while (from < kept.length) merged.push(kept[from++]!)
    return merged
  }

  #firstBehind(list: readonly number[], number: number, from: number): number {
    let [low, high] = [from, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(list[middle]!, number) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
