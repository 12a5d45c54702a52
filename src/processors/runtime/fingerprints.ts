const least = 64

/**
 * A set of texts of which only 53 bits of each are kept, in 16 to 32 bytes: there are tens of millions of them. Of ten
 * thousand texts, two unlike ones with the same bits are to be expected once in a hundred million such sets.
 */
export const fingerprints = (texts: readonly string[] = []) => {
  /** 0 is a free place; no more than half of them are taken. */
  let places = new Float64Array(least)
  let size = 0

  /** Where it is, or would be. */
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
  }
}

export type Fingerprints = ReturnType<typeof fingerprints>

/** A whole number from 1 to 2^53 - 1: two sums that mix each unit into all bits, as in cyrb53. */
const fingerprint = (text: string): number => {
  let low = 0x41c6ce57
  let high = 0xdeadbeef
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (low & 0x1fffff) * 0x1_0000_0000 + (high >>> 0) || 1
}
