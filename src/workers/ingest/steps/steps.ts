import { DownloadFailure } from '@fonds/download'
import { sideBySide } from '../../../async/side-by-side.ts'
import { clampPriority } from '../../../domain/ingest/profile/profile.ts'
import { WrongContent } from '../fetch/wanted.ts'
import { objectRows, packedAs } from '../payload/object-rows.ts'
import { download } from './download.ts'
import { notify } from './notify.ts'
import { process } from './process.ts'
import { record } from './record.ts'
import { type Step, StepFailure, type Steps } from './step.ts'
import { store } from './store.ts'

/** Added to the priority value of a job of unknown size, so that it waits longer. */
const unknownCosts = 10

/** Factor for a container and its unpacked files, whose size is not stated: texts compress to a third. */
const unpackedTo = 4

/** I23: estimates the bytes that the files will take. An unknown size does not fail the job (X9). */
const estimate: Step<'estimating'> = async (job, tools, context) => {
  const { rows } = await objectRows(job, tools, context)
  // One unknown size makes the sum unknown: a server that states none is not queried for each of its files.
  let isUnknown = false
  const sizes = await sideBySide(rows, tools.fetches, async ({ url, size }) => {
    context.progress()
    const found = size ?? (isUnknown ? undefined : await tools.fetcher.sizeOf(url, context))
    isUnknown ||= found === undefined
    return found
  })
  context.signal.throwIfAborted()
  const known = sizes.filter((size) => size !== undefined)
  const bytes = known.reduce((sum, size) => sum + size, 0)
  if (known.length === sizes.length)
    return { spaceNeeded: packedAs(job.facts.payload) ? bytes * unpackedTo : bytes, sizeKnown: true }
  return { spaceNeeded: 0, sizeKnown: false, priority: clampPriority(job.priority + unknownCosts) }
}

/** I21, I19: a manifest is fetched and checked to its end before anything is downloaded. */
const initialise: Step<'pending'> = async (job, tools, context) => {
  try {
    await objectRows(job, tools, context)
    return {}
  } catch (error) {
    // X6: the manifest differs from the announced one.
    if (error instanceof WrongContent) throw new StepFailure(error.message, { permanent: true, cause: error })
    // X3: the row's job fails, the others of the batch go on; it may be available the next time.
    if (error instanceof DownloadFailure) throw new StepFailure(error.message, { cause: error })
    throw error
  }
}

/** The step for each state of a job. Room is given before a job gets here. */
export const steps: Steps = {
  pending: initialise,
  estimating: estimate,
  provisioning: async (_, { services }) => ({ site: await services.workSite() }),
  downloading: download,
  processing: process,
  storing: store,
  recording: record,
  notify,
}
