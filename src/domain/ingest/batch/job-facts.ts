import type { JobFacts } from '../job/facts.ts'
import type { ListedObject } from '../payload.ts'
import { clampPriority, collectionOf, defaultPriority, ownerOf } from '../profile/profile.ts'
import type { Batch } from './state.ts'

/** A manifest at a file URL may list objects on servers. */
const isOfMachine = ({ payload: { url } }: ListedObject): boolean => /^file:/i.test(url)

interface Opened {
  readonly id: string
  readonly batch: Batch
  readonly firstJob: number
}

/** Returns the facts of the job of a listed object. The object's own values take precedence over the submission's. */
export const jobFacts = ({ id, batch, firstJob }: Opened, index: number, object: ListedObject): JobFacts => {
  const { submission, profile, number = 1, read } = batch
  const isAlone = read?.count === 1
  const callback = submission.callback ?? profile.callback
  // Ids of a submission are those of its single object; with several objects they identify none.
  const primary = object.primary ?? (isAlone ? submission.primary : undefined)
  const localIds = object.localIds.length > 0 || !isAlone ? object.localIds : (submission.localIds ?? [])
  const description = { ...submission.description, ...object.description }
  return {
    batch: id,
    batchNumber: number,
    job: firstJob + index,
    index,
    profile: profile.name,
    collection: collectionOf(profile),
    owner: ownerOf(profile),
    submitter: submission.submitter,
    payload: object.payload,
    mode: submission.mode,
    localIds: [...new Set(localIds)],
    priority: clampPriority(profile.priority ?? defaultPriority),
    ...(primary !== undefined && { primary }),
    ...(Object.keys(description).length > 0 && { description }),
    ...(callback !== undefined && { callback }),
    ...(submission.foreign === true && { foreign: true }),
    ...(submission.site !== undefined && isOfMachine(object) && { site: submission.site }),
    ...(submission.foreign === true && submission.callback !== undefined && { foreignCallback: true }),
  }
}
