import { fingerprint } from '../../domain/kernel/fingerprint.ts'

const least = 64

/** A set of texts that stores only the fingerprint of each, in 16 to 32 bytes: there are tens of millions of them. */
export const fingerprints = (texts: readonly string[] = []) => {
  /** Open addressing: 0 is an empty slot, and at least half of all slots are empty. */
  let places = new Float64Array(least)
  let size = 0

  /** Index of a fingerprint, or of the empty slot for it. */
  const placeOf = (print: number): number => {
    let at = print % places.length
    while (places[at] !== 0 && places[at] !== print) at = (at + 1) % places.length
    return at
  }

  const put = (print: number): void => {
    const at = placeOf(print)
    if (places[at] === print) return
    places[at] = print
    size++
    if (size * 2 > places.length) grow()
  }

  const grow = (): void => {
    const before = places
    places = new Float64Array(before.length * 2)
    for (const print of before) if (print !== 0) places[placeOf(print)] = print
  }

  for (const text of texts) put(fingerprint(text))
  return {
    has: (text: string): boolean => places[placeOf(fingerprint(text))] !== 0,
    add: (text: string): void => put(fingerprint(text)),
    size: (): number => size,
  }
}

export type Fingerprints = ReturnType<typeof fingerprints>
