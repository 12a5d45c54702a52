import { type Bucket, ConditionFailed } from './bucket.ts'

/*
 * Servers that keep no conditions of writes: of two writers, the later would overwrite the other. There writers of one
 * place take turns by a lock elsewhere, and conditions are checked by reading.
 */

/** Keeps other writers of a place away. */
export interface Guard {
  /**
   * Works while no other writer of the place does. `failIfLost` throws unless others keep away for so long that a
   * request which is sent now arrives before, or is refused as too old. `waits`: until the others are done; else throws
   * `StorageRootError`.
   */
  run<A>(
    place: string,
    waits: boolean,
    work: (failIfLost: () => void) => Promise<A>,
    signal?: AbortSignal,
  ): Promise<A>
}

/** The bucket as the holder of a lock uses it. */
export const underLock = (bucket: Bucket, failIfLost: () => void): Bucket => ({
  ...bucket,
  put: async (key, bytes, { ifNoneMatch, ifMatch } = {}) => {
    if (ifNoneMatch !== undefined || ifMatch !== undefined) {
      const found = await bucket.head(key)
      if (ifNoneMatch === undefined ? found?.etag !== ifMatch : found !== undefined)
        throw new ConditionFailed(`${key} is not as it was`)
    }
    failIfLost()
    return bucket.put(key, bytes)
  },
  delete: async (key) => {
    failIfLost()
    await bucket.delete(key)
  },
})
