import { workerData } from 'node:worker_threads'
import type { NewVersion } from '@fonds/ocfl'
import { openStorageRoot, type StorageRoot, type StorageRootOptions } from '@fonds/ocfl/root'
import { breather } from '../../../src/async/threads/breather.ts'
import { runJobs } from '../../../src/async/threads/run-jobs.ts'
import { failureFrom } from '../failures.ts'
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

function asOutcome(error: unknown, object: string): Outcome {
  const failure = failureFrom(error, object, [(workerData as StorageRootOptions).root])
  if (failure) return { kind: 'failure', failure }
  return { kind: 'broken', error: error instanceof Error ? error : new Error(String(error)) }
}
