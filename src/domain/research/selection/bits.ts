const none = new Uint32Array(0)
/** Minimum capacity of a set that is not empty: a set of a few hundred never grows. */
const minWords = 8

/** A growable bit set of small numbers. */
export class Bits {
  words = none

  static of(words: Uint32Array<ArrayBuffer>): Bits {
    const bits = new Bits()
    bits.words = words
    return bits
  }

  has(bit: number): boolean {
    const at = bit >>> 5
    return at < this.words.length && ((this.words[at]! >>> (bit & 31)) & 1) === 1
  }

  /** Returns false if the bit was set already. */
  add(bit: number): boolean {
    const at = bit >>> 5
    if (at >= this.words.length) this.#grow(at + 1)
    const word = this.words[at]!
    const mask = 1 << (bit & 31)
    this.words[at] = word | mask
    return (word & mask) === 0
  }

  /** Returns false if the bit was not set. */
  delete(bit: number): boolean {
    if (!this.has(bit)) return false
    this.words[bit >>> 5]! &= ~(1 << (bit & 31))
    return true
  }

  addAll(others: Uint32Array): void {
    if (others.length > this.words.length) this.#grow(others.length)
    for (let at = 0; at < others.length; at++) this.words[at]! |= others[at]!
  }

  count(): number {
    let count = 0
    for (const word of this.words) count += ones(word)
    return count
  }

  /** Returns the number of bits set in both. */
  common(other: Bits): number {
    const least = Math.min(this.words.length, other.words.length)
    let count = 0
    for (let at = 0; at < least; at++) count += ones(this.words[at]! & other.words[at]!)
    return count
  }

  *[Symbol.iterator](): Generator<number> {
    for (let at = 0; at < this.words.length; at++)
      for (let word = this.words[at]!; word !== 0; word &= word - 1)
        yield at * 32 + 31 - Math.clz32(word & -word)
  }

  /** Grows by an eighth more than needed, since bits come one by one. */
  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.words.length + (this.words.length >> 3), minWords))
    grown.set(this.words)
    this.words = grown
  }
}

const ones = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
