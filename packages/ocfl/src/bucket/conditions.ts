import { type Bucket, ConditionFailed, type Conditions, ConditionUnknown } from './bucket.ts'

const probes = 3

/**
 * Puts bytes under a condition that does not hold; false if the server writes them all the same. Clients repeat a
 * request whose answer was lost, and then may take the bytes that are there for their own: it is tried three times.
 */
export const refusesWrite = async (
  bucket: Bucket,
  key: string,
  bytes: Uint8Array,
  conditions: Conditions,
): Promise<boolean> => {
  for (let probe = 0; probe < probes; probe++)
    try {
      await bucket.put(key, bytes, conditions)
    } catch (error) {
      if (error instanceof ConditionFailed) return true
      if (error instanceof ConditionUnknown) return false
      throw error
    }
  return false
}

/** An ETag that no object has. */
export const foreignEtag = '0'.repeat(32)
