import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import type { ObjectStore, StoredVersion } from '../../../ports/object-store.ts'
import { ingestFile } from '../describe/system-files.ts'
import type { JobInProgress } from './step.ts'
import { storageFailure } from './storage-failure.ts'

/**
 * Returns the last version, if it is this job's: each version names its job. The worker that stored it did not report
 * it. Until it is reported, no other job stores a version.
 */
export const storedBefore = async (
  job: JobInProgress,
  ark: string,
  objects: ObjectStore,
): Promise<StoredVersion | undefined> => {
  const { name, text: ours } = ingestFile(job)
  const found = await objects.read(ark, `system/${name}`)()
  if (E.isLeft(found)) throw storageFailure(found.left)
  if (!found.right || (await text(found.right.open())) !== ours) return undefined
  const head = await objects.head(ark)()
  if (E.isLeft(head)) throw storageFailure(head.left)
  return head.right
}
