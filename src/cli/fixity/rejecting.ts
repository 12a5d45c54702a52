import { RestoreRefused } from '../../workflows/fixity/archived-items.ts'
import { RejectedError } from '../ask-command.ts'

/** Rejects with `RejectedError` where the work of the workflow was refused. */
export const rejecting = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof RestoreRefused ? new RejectedError(error.message) : error
  }
}
