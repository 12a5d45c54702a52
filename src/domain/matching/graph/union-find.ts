import { capacityFor, integers } from './columns.ts'

/** Sets of numbers that are joined one by one; each number is alone at first. */
export class UnionFind {
  /** By number: another one of its set, nearer to the first; 0 for the first itself. */
  #above = integers(0)
  #joined: number[] = []

  /** False where both were in one set already. */
  join(one: number, other: number): boolean {
    this.#reserve(Math.max(one, other))
    const [head, lost] = [this.#headOf(one), this.#headOf(other)]
    if (head === lost) return false
    this.#above[lost] = head
    this.#joined.push(lost)
    return true
  }

  /** Each is alone again. */
  clear(): void {
    for (const number of this.#joined) this.#above[number] = 0
    this.#joined = []
  }

  #headOf(number: number): number {
    let at = number
    for (let above = this.#above[at]!; above; above = this.#above[at]!) {
      const next = this.#above[above]!
      if (next) this.#above[at] = next
      at = above
    }
    return at
  }

  #reserve(number: number): void {
    if (number >= this.#above.length) this.#above = integers(capacityFor(number), this.#above)
  }
}
