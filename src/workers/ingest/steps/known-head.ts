import * as E from 'fp-ts/lib/Either.js'
import { compareHeads } from '../../../domain/ingest/object/storage.ts'
import type { ObjectStore, StoredVersion } from '../../../ports/object-store.ts'
import { type JobInProgress, StepFailure, type StepTools } from './step.ts'
import { storageFailure } from './storage-failure.ts'
import { storedBefore } from './stored-before.ts'

/**
 * Returns the version that the next one follows; 0: none. Storage and log must agree on it, unless this job stored it
 * without reporting it. If one of them alone was restored, nothing is stored on top of the difference.
 */
export const knownHead = async (
  job: JobInProgress,
  ark: string,
  objects: ObjectStore,
  { services }: Pick<StepTools, 'services'>,
): Promise<number> => {
  const found = await objects.head(ark)()
  if (E.isLeft(found)) throw storageFailure(found.left)
  const head = found.right
  const { versions } = await services.identifiers.knownObject(ark)
  const known = versions.toSorted((one, other) => one.version - other.version).at(-1)
  const standing = compareHeads(head, known)
  if (standing === 'same') return head?.version ?? 0
  if (head && standing !== 'behind' && (await storedBefore(job, ark, objects))) return head.version
  throw new StepFailure(whyNot(ark, head, known?.version ?? 0))
}

const whyNot = (ark: string, head: StoredVersion | undefined, last: number): string => {
  if (!head || head.version < last)
    return (
      `the log knows version ${last} of ${ark}, and storage holds ${head ? `version ${head.version}` : 'no such object'}: ` +
      'restore the storage that belongs to this log, then resume the job'
    )
  if (head.version === last)
    return `version ${last} of ${ark} is another one in storage than the log says: \`fonds history ${ark}\` says which was stored when`
  return (
    `storage holds version ${head.version} of ${ark}, and the log knows ${last === 0 ? 'none' : `version ${last}`}: ` +
    `\`fonds do ingest.adopt-versions object=${ark}\` takes over what storage holds, ` +
    `\`fonds do ingest.set-aside-versions object=${ark} --confirm\` takes it out; then resume the job`
  )
}
