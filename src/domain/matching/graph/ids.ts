/**
 * Ids by number and numbers by id. Numbers start at 1; those of removed ids are given again.
 *
 * A table of its own, since a Map of millions takes three times as long to fill, twice the memory, and ends at 16.7
 * million: open addressing with linear probing, pairs of hash and number, a number of 0 for an empty place.
 */
export class Ids {
  readonly #names: (string | undefined)[] = [undefined]
  readonly #spare: number[] = []
  #places = 1024
  #table = new Int32Array(2 * this.#places)
  readonly #seed: number

  constructor(seed = 0x811c9dc5) {
    this.#seed = seed
  }

  /** Numbers are below this. */
  get end(): number {
    return this.#names.length
  }

  /** Undefined where the number is nobody's now. */
  name(number: number): string | undefined {
    return this.#names[number]
  }

  /** 0 for an unknown id. */
  find(id: string): number {
    const hash = hashOf(id, this.#seed)
    for (let place = this.#home(hash); ; place = this.#after(place)) {
      const number = this.#table[2 * place + 1]!
      if (number === 0 || (this.#table[2 * place] === hash && this.#names[number] === id)) return number
    }
  }

  /** For an id that `find` does not know. */
  add(id: string): number {
    const number = this.#spare.pop() ?? this.#names.length
    this.#names[number] = id
    if (4 * this.#names.length > 3 * this.#places) this.#widen()
    this.#put(hashOf(id, this.#seed), number)
    return number
  }

  remove(number: number): void {
    const id = this.#names[number]
    if (id === undefined) return
    let hole = this.#home(hashOf(id, this.#seed))
    while (this.#table[2 * hole + 1] !== number) hole = this.#after(hole)
    // Those behind move up, as far as none comes before the place it is looked for at first.
    for (let place = this.#after(hole); this.#table[2 * place + 1]; place = this.#after(place)) {
      const way = this.#distance(this.#home(this.#table[2 * place]!), place)
      if (way < this.#distance(hole, place)) continue
      this.#table.copyWithin(2 * hole, 2 * place, 2 * place + 2)
      hole = place
    }
    this.#table.fill(0, 2 * hole, 2 * hole + 2)
    this.#names[number] = undefined
    this.#spare.push(number)
  }

  #put(hash: number, number: number): void {
    let place = this.#home(hash)
    while (this.#table[2 * place + 1]) place = this.#after(place)
    this.#table[2 * place] = hash
    this.#table[2 * place + 1] = number
  }

  #widen(): void {
    const table = this.#table
    this.#places *= 2
    this.#table = new Int32Array(2 * this.#places)
    for (let at = 0; at < table.length; at += 2) if (table[at + 1]) this.#put(table[at]!, table[at + 1]!)
  }

  #home(hash: number): number {
    return hash & (this.#places - 1)
  }

  #after(place: number): number {
    return (place + 1) & (this.#places - 1)
  }

  #distance(from: number, to: number): number {
    return (to - from) & (this.#places - 1)
  }
}

/** FNV-1a over UTF-16 units, mixed so that the low bits depend on all. */
const hashOf = (id: string, seed: number): number => {
  let hash = seed
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
