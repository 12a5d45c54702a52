import { DamagedObject } from '../errors.ts'
import type { Bucket } from './bucket.ts'
import { partBytesOf, partsOf } from './parts.ts'
import type { PutLimits } from './put-content.ts'

/**
 * Copies a file by reading and writing it: copies that a server makes change checksums, and overwrite whatever
 * conditions they have. Throws `DamagedObject` if there are fewer bytes than the server says.
 */
export const copyKey = async (
  bucket: Bucket,
  from: string,
  to: string,
  limits: Pick<PutLimits, 'partBytes'>,
): Promise<void> => {
  const found = await bucket.get(from)
  if (!found) throw new DamagedObject(`${from} is not there any more`)
  const { size } = found.object
  const partBytes = partBytesOf(size, limits.partBytes)
  const upload = size > partBytes ? await bucket.upload(to) : undefined
  try {
    let number = 0
    let count = 0
    for await (const part of partsOf(found.body, partBytes)) {
      number += 1
      count += part.length
      await (upload ? upload.part(number, part) : bucket.put(to, part))
    }
    if (count !== size) throw new DamagedObject(`${from} has ${count} bytes instead of ${size}`)
    if (size === 0) await bucket.put(to, new Uint8Array())
    await upload?.complete()
  } catch (error) {
    await upload?.abort().catch(() => {})
    throw error
  }
}
