import { workerData } from 'node:worker_threads'
import type { NewVersion } from '@fonds/ocfl'
import {
  DamagedObject,
  InvalidVersion,
  OtherDigests,
  PlaceTaken,
  StorageRootError,
  VersionConflict,
} from '@fonds/ocfl'
import { openStorageRoot, type StorageRoot, type StorageRootOptions } from '@fonds/ocfl/root'
import { isSystemError } from '@fonds/toolbox'
import { diskReason } from '../../../src/async/disk-reasons.ts'
import { machineFailure } from '../../../src/async/machine-failure.ts'
import { breather } from '../../../src/async/threads/breather.ts'
import { runJobs } from '../../../src/async/threads/run-jobs.ts'
import type { Call, Outcome } from './thread-messages.ts'

/* The main module of a thread that reads and writes a storage root. */

let objects: StorageRoot | undefined

runJobs<Call, Outcome>('ocfl/thread.ts is run by the object store', async (call, post, signal) =>
  post(await outcomeOf(call, signal)),
)

async function outcomeOf(call: Call, signal: AbortSignal): Promise<Outcome> {
  const { name, args } = call
  try {
    objects ??= openStorageRoot(workerData as StorageRootOptions)
    const ask = objects[name] as (...args: readonly unknown[]) => Promise<unknown>
    const options = { signal, breathe: breather(breatheMillis, signal) }
    return { kind: 'answer', answer: await ask(...args, ...(name === 'write' ? [options] : [])) }
  } catch (error) {
    return signal.aborted ? { kind: 'aborted' } : asOutcome(error, objectOf(call))
  }
}

/** Interval at which the thread checks whether the write is to end. */
const breatheMillis = 100

const objectOf = ({ name, args: [first] }: Call): string =>
  name === 'write' ? (first as NewVersion).object : String(first)

/** Maps errors of the file system or of an object to a failure; any other error is a bug. */
function asOutcome(error: unknown, object: string): Outcome {
  if (error instanceof VersionConflict)
    return { kind: 'failure', failure: { kind: 'Conflict', object, head: error.head } }
  if (error instanceof DamagedObject)
    return { kind: 'failure', failure: { kind: 'Damaged', object, reason: error.message } }
  if (error instanceof InvalidVersion || error instanceof OtherDigests || error instanceof PlaceTaken)
    return { kind: 'failure', failure: { kind: 'Invalid', object, reason: error.message } }
  const machine = machineFailure(error, [(workerData as StorageRootOptions).root])
  if (machine)
    return { kind: 'failure', failure: { kind: 'Unavailable', reason: machine.message, isMachines: true } }
  if (error instanceof StorageRootError || isSystemError(error))
    return { kind: 'failure', failure: { kind: 'Unavailable', reason: diskReason(error) ?? error.message } }
  return { kind: 'broken', error: error instanceof Error ? error : new Error(String(error)) }
}
