/**
 * Compares by bytes of UTF-8, which is by code points. JavaScript compares UTF-16, in which surrogates (from U+10000 on)
 * come before U+E000 to U+FFFF.
 */
export const compareKeys = (a: string, b: string): number => {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (one !== other) return rank(one) - rank(other)
  }
  return a.length - b.length
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
