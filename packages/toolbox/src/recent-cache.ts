/**
 * A cache of recently used values: it keeps between half of `capacity` (at least 2) and all of it, by weight, and the one
 * used last whatever it weighs.
 * It has two halves instead of an order: a used value moves to the recent half; when that is full, the other
 * one is dropped. No call costs more than a lookup.
 */
export const recentCache = <Value>(capacity: number, weigh: (value: Value) => number = () => 1) => {
  interface Kept {
    readonly value: Value
    readonly weight: number
  }
  let recent = new Map<string, Kept>()
  let older = new Map<string, Kept>()
  /** Weight of the recent half. */
  let weight = 0

  const set = (key: string, value: Value): void => {
    const kept = { value, weight: weigh(value) }
    const before = recent.get(key)
    if (before) weight -= before.weight
    if (recent.size > 0 && (weight + kept.weight) * 2 > capacity) {
      if (before) recent.delete(key)
      older = recent
      recent = new Map()
      weight = 0
    }
    recent.set(key, kept)
    weight += kept.weight
  }

  return {
    set,
    get: (key: string): Value | undefined => {
      const found = recent.get(key)
      if (found) return found.value
      const old = older.get(key)
      if (old) set(key, old.value)
      return old?.value
    },
    delete: (key: string): void => {
      weight -= recent.get(key)?.weight ?? 0
      recent.delete(key)
      older.delete(key)
    },
  }
}
