/*
 * Sets of clips as bitmaps: an episode has as many results as there are clips, and thousands of episodes are in memory at
 * once. A clip gets its number when it is first met, for the life of the process. Numbers never leave this file, and no
 * answer depends on them: to the rest of the domain this is pure.
 */

const numbers = new Map<string, number>()

const numberOf = (clip: string): number => {
  const known = numbers.get(clip)
  if (known !== undefined) return known
  numbers.set(clip, numbers.size)
  return numbers.size - 1
}

/** Words of 32 bits, no longer than the highest member needs. Immutable: adding and removing return another. */
export type ClipSet = ArrayLike<number>

export const noClips: ClipSet = new Uint32Array(0)

export const hasClip = (set: ClipSet, clip: string): boolean => {
  const number = numbers.get(clip)
  return number !== undefined && ((set[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
}

/** True where they have a clip in common. */
export const overlap = (one: ClipSet, other: ClipSet): boolean => {
  for (let word = Math.min(one.length, other.length) - 1; word >= 0; word--)
    if (((one[word] ?? 0) & (other[word] ?? 0)) !== 0) return true
  return false
}

export const isEmpty = (set: ClipSet): boolean => set.length === 0

export const withClips = (set: ClipSet, clips: readonly string[]): ClipSet => {
  const added = clips.map(numberOf)
  const words = added.reduce((max, number) => Math.max(max, (number >>> 5) + 1), set.length)
  const bits = copy(set, words)
  for (const number of added) bits[number >>> 5] = (bits[number >>> 5] ?? 0) | (1 << (number & 31))
  return bits
}

export const withoutClips = (set: ClipSet, clips: readonly string[]): ClipSet => {
  if (!clips.some((clip) => hasClip(set, clip))) return set
  const bits = copy(set, set.length)
  for (const clip of clips) {
    const number = numbers.get(clip)
    if (number !== undefined && number >>> 5 < bits.length)
      bits[number >>> 5] = (bits[number >>> 5] ?? 0) & ~(1 << (number & 31))
  }
  return bits.slice(0, bits.findLastIndex((word) => word !== 0) + 1)
}

const copy = (set: ClipSet, words: number): Uint32Array => {
  const bits = new Uint32Array(words)
  bits.set(set)
  return bits
}
