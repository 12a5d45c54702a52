import {
  DamagedObject,
  InvalidVersion,
  OtherDigests,
  PlaceTaken,
  StorageRootError,
  VersionConflict,
} from '@fonds/ocfl'
import { isSystemError } from '@fonds/toolbox'
import { diskReason } from '../../src/async/disk-reasons.ts'
import { machineFailure } from '../../src/async/machine-failure.ts'
import type { ObjectStoreFailure } from '../../src/ports/object-store.ts'

/**
 * The failure that an error of a storage root means; undefined: it is a bug. `folders`: those that the root writes to
 * on this machine.
 */
export const failureFrom = (
  error: unknown,
  object: string,
  folders: readonly string[] = [],
): ObjectStoreFailure | undefined => {
  if (error instanceof VersionConflict) return { kind: 'Conflict', object, head: error.head }
  if (error instanceof DamagedObject) return { kind: 'Damaged', object, reason: error.message }
  if (error instanceof InvalidVersion || error instanceof OtherDigests || error instanceof PlaceTaken)
    return { kind: 'Invalid', object, reason: error.message }
  const machine = machineFailure(error, folders)
  if (machine) return { kind: 'Unavailable', reason: machine.message, isMachines: true }
  if (error instanceof StorageRootError || isSystemError(error))
    return { kind: 'Unavailable', reason: diskReason(error) ?? error.message }
  return undefined
}
