/**
 * What was used lately: between half of `capacity` (at least 2) and all of it. Two halves instead of an order: what is used moves to
 * the recent half; when that is full, the other one is let go of. No call costs more than a look-up.
 */
export const recentCache = <Value>(capacity: number) => {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()

  const set = (key: string, value: Value): void => {
    if (!recent.has(key) && (recent.size + 1) * 2 > capacity) {
      older = recent
      recent = new Map()
    }
    recent.set(key, value)
  }

  return {
    set,
    get: (key: string): Value | undefined => {
      const found = recent.get(key)
      if (found !== undefined) return found
      const old = older.get(key)
      if (old !== undefined) set(key, old)
      return old
    },
    delete: (key: string): void => {
      recent.delete(key)
      older.delete(key)
    },
  }
}
