import { MachineFailure } from '../../../async/machine-failure.ts'
import type { ObjectStoreFailure } from '../../../ports/object-store.ts'
import { StepFailure } from './step.ts'

/** X17. */
export const storageFailure = (failure: ObjectStoreFailure): StepFailure | MachineFailure => {
  switch (failure.kind) {
    case 'Conflict':
      return new StepFailure(
        `others store versions of ${failure.object}: storage holds version ${failure.head}; resume the job later`,
      )
    case 'Invalid':
    case 'Damaged':
      return new StepFailure(`storage cannot take ${failure.object}: ${failure.reason}`)
    case 'Unavailable':
      if (failure.isMachines) return new MachineFailure(`storage: ${failure.reason}`)
      return new StepFailure(`storage is unavailable: ${failure.reason}`)
  }
}
