/**
 * Ids by number and numbers by id. Numbers start at 1; those of removed ids are given again.
 *
 * A hash table with open addressing and linear probing: pairs of hash and number, a number of 0 for an empty slot. A Map
 * of millions takes three times as long to fill, twice the memory, and ends at 16.7 million.
 */
export class Ids {
  readonly #names: (string | undefined)[] = [undefined]
  readonly #free: number[] = []
  #slots = 1024
  #table = new Int32Array(2 * this.#slots)
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

  /** The number of an id; 0 for an unknown one. */
  find(id: string): number {
    const hash = hashOf(id, this.#seed)
    for (let slot = this.#homeSlot(hash); ; slot = this.#nextSlot(slot)) {
      const number = this.#table[2 * slot + 1]!
      if (number === 0 || (this.#table[2 * slot] === hash && this.#names[number] === id)) return number
    }
  }

  /** For an id that `find` does not know. */
  add(id: string): number {
    const number = this.#free.pop() ?? this.#names.length
    this.#names[number] = id
    if (4 * this.#names.length > 3 * this.#slots) this.#grow()
    this.#put(hashOf(id, this.#seed), number)
    return number
  }

  remove(number: number): void {
    const id = this.#names[number]
    if (id === undefined) return
    let gap = this.#homeSlot(hashOf(id, this.#seed))
    while (this.#table[2 * gap + 1] !== number) gap = this.#nextSlot(gap)
    // Entries behind the gap move up, but none to before its home slot.
    for (let slot = this.#nextSlot(gap); this.#table[2 * slot + 1]; slot = this.#nextSlot(slot)) {
      const way = this.#distance(this.#homeSlot(this.#table[2 * slot]!), slot)
      if (way < this.#distance(gap, slot)) continue
      this.#table.copyWithin(2 * gap, 2 * slot, 2 * slot + 2)
      gap = slot
    }
    this.#table.fill(0, 2 * gap, 2 * gap + 2)
    this.#names[number] = undefined
    this.#free.push(number)
  }

  #put(hash: number, number: number): void {
    let slot = this.#homeSlot(hash)
    while (this.#table[2 * slot + 1]) slot = this.#nextSlot(slot)
    this.#table[2 * slot] = hash
    this.#table[2 * slot + 1] = number
  }

  #grow(): void {
    const table = this.#table
    this.#slots *= 2
    this.#table = new Int32Array(2 * this.#slots)
    for (let at = 0; at < table.length; at += 2) if (table[at + 1]) this.#put(table[at]!, table[at + 1]!)
  }

  #homeSlot(hash: number): number {
    return hash & (this.#slots - 1)
  }

  #nextSlot(slot: number): number {
    return (slot + 1) & (this.#slots - 1)
  }

  #distance(from: number, to: number): number {
    return (to - from) & (this.#slots - 1)
  }
}

/** FNV-1a over UTF-16 units, mixed so that the low bits depend on all. */
const hashOf = (id: string, seed: number): number => {
  let hash = seed
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
