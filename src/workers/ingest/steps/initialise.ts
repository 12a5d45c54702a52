import { DownloadFailure } from '@fonds/download'
import { WrongContent } from '../fetch/wanted.ts'
import { objectRows } from '../payload/object-rows.ts'
import { type Step, StepFailure } from './step.ts'

/** I21, I19: a manifest is fetched and checked to its end before anything is downloaded. */
export const initialise: Step<'pending'> = async (job, tools, hold) => {
  try {
    await objectRows(job, tools, hold)
    return {}
  } catch (error) {
    // X6: the manifest differs from the announced one.
    if (error instanceof WrongContent) throw new StepFailure(error.message, { permanent: true, cause: error })
    // X3: the row's job fails, the others of the batch go on; it may be available the next time.
    if (error instanceof DownloadFailure) throw new StepFailure(error.message, { cause: error })
    throw error
  }
}
