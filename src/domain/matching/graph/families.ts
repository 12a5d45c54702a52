/** Numbers that belong together, in families; most have none. */
export class Families {
  readonly #above = new Map<number, number>()

  join(one: number, other: number): void {
    const [head, lost] = [this.#headOf(one), this.#headOf(other)]
    this.#above.set(head, head)
    this.#above.set(lost, head)
  }

  /** The whole family, by each number that has one. */
  byMember(): ReadonlyMap<number, readonly number[]> {
    const families = Map.groupBy(this.#above.keys(), (number) => this.#headOf(number))
    return new Map([...this.#above.keys()].map((number) => [number, families.get(this.#headOf(number))!]))
  }

  #headOf(number: number): number {
    let at = number
    for (let above = this.#above.get(at); above !== undefined && above !== at; above = this.#above.get(at)) {
      const next = this.#above.get(above)!
      this.#above.set(at, next)
      at = next
    }
    return at
  }
}
