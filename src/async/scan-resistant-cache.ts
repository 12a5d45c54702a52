import { recentCache } from '@fonds/toolbox'

/** Share of the capacity, beside it, for values that were put once. */
export const onceShare = 1 / 10

/**
 * A cache of recently used values, as `recentCache`, in which values that were put only once have a tenth of the room
 * (2Q, by Johnson and Shasha): a scan of values that are used once displaces nothing, and leaves little old garbage. A
 * key counts as put until `maxKeys` others were.
 */
export const scanResistantCache = <Value>(
  capacity: number,
  weigh: (value: Value) => number = () => 1,
  maxKeys = capacity,
) => {
  const often = recentCache<Value>(capacity, weigh)
  const once = recentCache<Value>(capacity * onceShare, weigh)
  const put = recentKeys(maxKeys)

  return {
    get: (key: string): Value | undefined => often.get(key) ?? once.get(key),
    set: (key: string, value: Value): void => {
      const wasPut = put.add(key)
      // A value may stay cached for longer than its key counts as put: an older value would hide this one.
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

/** A set of between half of `capacity` and all of it, in two halves as those of `recentCache`. */
const recentKeys = (capacity: number) => {
  let recent = new Set<string>()
  let older = new Set<string>()
  return {
    /** Returns true if it was there. */
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
