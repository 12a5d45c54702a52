/**
 * A hash of 53 bits, as a whole number from 1: two sums, each of which mixes every unit into all of its bits. Among ten
 * thousand texts, a collision is to be expected once in a hundred million times.
 */
export const fingerprint = (text: string): number => {
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x01000193)
    low ^= low >>> 15
    high = Math.imul(high ^ unit, 0x85ebca6b)
    high ^= high >>> 13
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) || 1
}
