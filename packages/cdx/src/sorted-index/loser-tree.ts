import { maxLineBytes } from './limits.ts'
import { advance, type RunInput } from './run-input.ts'

/**
 * A tournament of inputs whose winner has the least line. Each line has a code: the place where it first
 * differs from the previous winner, and the byte there. The later the place, the less the code; the end of a
 * line is less than each byte. Codes of the same base decide most matches, and equal bytes are not compared
 * again (offset-value coding).
 */
export interface LoserTree {
  /** The input with the least line; undefined when all are at their ends. */
  winner(): RunInput | undefined
  /** Returns true if the winner's line equals the previous winner's. */
  isRepeated(): boolean
  /** Moves the winner on to its next line. */
  next(): void
}

const atEnd = 0x7fffffff
const code = (offset: number, byte: number): number => ((maxLineBytes + 1 - offset) << 9) | byte

export const createLoserTree = (inputs: readonly RunInput[]): LoserTree => {
  const size = inputs.length
  const codes = new Int32Array(size)
  /** The input that lost at each node; at 0 the overall winner. */
  const losers = new Int32Array(size)

  const codeAfter = (bytes: Uint8Array, base: number, start: number): number => {
    let i = 0
    let byte = bytes[start]!
    while (byte === bytes[base + i] && byte !== 10) byte = bytes[start + ++i]!
    return code(i, byte === 10 ? 0 : byte + 1)
  }

  /** Compares two with equal codes. The loser gets its code against the winner. For equal lines the first input wins. */
  const matchLines = (a: number, b: number): number => {
    const same = codes[a]!
    if (same === atEnd || (same & 511) === 0) return Math.min(a, b)
    const left = inputs[a]!
    const right = inputs[b]!
    const leftBytes = left.bytes
    const rightBytes = right.bytes
    let i = maxLineBytes + 2 - (same >>> 9)
    let leftByte = leftBytes[left.start + i]!
    let rightByte = rightBytes[right.start + i]!
    while (leftByte === rightByte && leftByte !== 10) {
      i++
      leftByte = leftBytes[left.start + i]!
      rightByte = rightBytes[right.start + i]!
    }
    const leftValue = leftByte === 10 ? 0 : leftByte + 1
    const rightValue = rightByte === 10 ? 0 : rightByte + 1
    const leftWins = leftValue === rightValue ? a < b : leftValue < rightValue
    if (leftWins) codes[b] = code(i, rightValue)
    else codes[a] = code(i, leftValue)
    return leftWins ? a : b
  }

  const match = (a: number, b: number): number => {
    const left = codes[a]!
    const right = codes[b]!
    return left === right ? matchLines(a, b) : left < right ? a : b
  }

  const begin = (node: number): number => {
    if (node >= size) return node - size
    const a = begin(2 * node)
    const b = begin(2 * node + 1)
    const won = match(a, b)
    losers[node] = won === a ? b : a
    return won
  }

  for (const [i, input] of inputs.entries())
    codes[i] = advance(input) < 0 ? atEnd : code(0, input.bytes[input.start]! + 1)
  if (size > 0) losers[0] = begin(1)

  return {
    winner: () => (size === 0 || codes[losers[0]!] === atEnd ? undefined : inputs[losers[0]!]),
    isRepeated: () => (codes[losers[0]!]! & 511) === 0,
    next: () => {
      let won = losers[0]!
      const input = inputs[won]!
      const base = advance(input)
      codes[won] = base < 0 ? atEnd : codeAfter(input.bytes, base, input.start)
      for (let node = (won + size) >> 1; node > 0; node >>= 1) {
        const other = losers[node]!
        const first = match(won, other)
        if (first === won) continue
        losers[node] = won
        won = first
      }
      losers[0] = won
    },
  }
}
