import type { ObjectStoreFailure } from '../../../ports/object-store.ts'
import { StepFailure } from './step.ts'

/** X17. */
export const storageFailure = (failure: ObjectStoreFailure): StepFailure => {
  switch (failure.kind) {
    case 'Conflict':
      return new StepFailure(
        `others store versions of ${failure.object}: storage holds version ${failure.head}; resume the job later`,
      )
    case 'Invalid':
    case 'Damaged':
      return new StepFailure(`storage cannot take ${failure.object}: ${failure.reason}`)
    case 'Unavailable':
      return new StepFailure(`storage is away: ${failure.reason}`)
  }
}
