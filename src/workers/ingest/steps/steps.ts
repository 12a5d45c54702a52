import { DownloadFailure } from '@fonds/download'
import { sideBySide } from '../../../async/side-by-side.ts'
import { clampPriority } from '../../../domain/ingest/profile/profile.ts'
import { WrongContent } from '../fetch/wanted.ts'
import { type ObjectRow, objectRows, packedAs } from '../payload/object-rows.ts'
import { download } from './download.ts'
import { notify } from './notify.ts'
import { process } from './process.ts'
import { record } from './record.ts'
import { partedFetches } from './staging.ts'
import { type JobInProgress, type Step, StepFailure, type Steps, type StepTools } from './step.ts'
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
  const bytes = sumOf(sizes)
  const workBytes = await workBytesOf(job, rows, sizes, tools)
  const ofWork = workBytes !== undefined && { workBytes }
  if (bytes !== undefined)
    return {
      spaceNeeded: packedAs(job.facts.payload) ? bytes * unpackedTo : bytes,
      sizeKnown: true,
      ...ofWork,
    }
  const priority = clampPriority(job.priority + unknownCosts)
  return { spaceNeeded: 0, sizeKnown: false, priority, ...ofWork }
}

type Sizes = readonly (number | undefined)[]

/** Undefined where one is. */
const sumOf = (sizes: Sizes): number | undefined =>
  sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0)

/** Bytes of the files that do not go straight to storage; undefined: all, or unknown. */
const workBytesOf = async (
  job: JobInProgress,
  rows: readonly ObjectRow[],
  sizes: Sizes,
  tools: StepTools,
): Promise<number | undefined> => {
  const { toStage } = await partedFetches(job, rows, tools)
  if (toStage.length === 0) return undefined
  const straight = new Set(toStage)
  return sumOf(sizes.filter((_, i) => !straight.has(rows[i]!)))
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
