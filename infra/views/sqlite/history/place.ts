import type { Value } from '../../../../src/domain/kernel/view.ts'

/** A place in an order: the values of its columns, `least` for null. */
export type Place = readonly Value[]

/** Compares as SQLite does: numbers before texts, and texts by their UTF-8 bytes. */
export const comparePlaces = (one: Place, other: Place): number => {
  for (let i = 0; i < one.length; i++) {
    const order = compareValues(one[i] as Value, other[i] as Value)
    if (order !== 0) return order
  }
  return 0
}

export const compareValues = (one: Value, other: Value): number => {
  if (one === other) return 0
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  if (typeof one === 'string') return 1
  if (typeof other === 'string') return -1
  return Number(one) < Number(other) ? -1 : 1
}

/** If one of two texts has none of these, UTF-16 units have the order of UTF-8 bytes. */
const high = /[\ud800-\uffff]/

const compareTexts = (one: string, other: string): number => {
  if (high.test(one) && high.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : 1
}
