import { recentCache } from './recent-cache.ts'

/** Of what was put once, so much less is kept. */
const onceShare = 1 / 10

/**
 * What was used lately, as `recentCache` keeps it; of what was put once alone, a tenth (2Q, by Johnson and Shasha): a scan of what is
 * used once pushes nothing out, and leaves little garbage that has become old. That a key was put is known for `capacity` others.
 */
export const scanResistantCache = <Value>(capacity: number, weigh: (value: Value) => number = () => 1) => {
  const often = recentCache<Value>(capacity, weigh)
  const once = recentCache<Value>(capacity * onceShare, weigh)
  const put = recentKeys(capacity)

  return {
    get: (key: string): Value | undefined => often.get(key) ?? once.get(key),
    set: (key: string, value: Value): void => {
      const wasPut = put.add(key)
      // It may be kept for longer than it is known to have been put: an older value would stay in front of this one.
      if (wasPut || often.get(key) !== undefined) {
        once.delete(key)
        often.set(key, value)
      } else once.set(key, value)
    },
    delete: (key: string): void => {
      often.delete(key)
      once.delete(key)
    },
  }
}

/** Between half of `capacity` and all of it, in two halves as those of `recentCache`. */
const recentKeys = (capacity: number) => {
  let recent = new Set<string>()
  let older = new Set<string>()
  return {
    /** True where it was there. */
    add: (key: string): boolean => {
      const { size } = recent
      if (recent.add(key).size === size) return true
      const wasOlder = older.has(key)
      if (recent.size * 2 > capacity) {
        older = recent
        recent = new Set()
      }
      return wasOlder
    },
  }
}
