import { bytes } from './columns.ts'

/** A set of numbers, cheap for very many of them. */
export class Flags {
  #on = bytes(0)
  /** All that were set since the last `drain`, also those cleared meanwhile. */
  #set: number[] = []

  reserve(numbers: number): void {
    this.#on = bytes(numbers, this.#on)
  }

  has(number: number): boolean {
    return this.#on[number] === 1
  }

  set(number: number): void {
    if (this.#on[number]) return
    this.#on[number] = 1
    this.#set.push(number)
  }

  clear(number: number): void {
    this.#on[number] = 0
  }

  /** Each one that is set, once; none is afterwards. */
  drain(): number[] {
    const drained = this.#set.filter((number) => {
      const on = this.#on[number] === 1
      this.#on[number] = 0
      return on
    })
    this.#set = []
    return drained
  }
}
