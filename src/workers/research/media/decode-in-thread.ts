import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Unreadable } from '@fonds/sound'
import { errorMessage } from '../../../async/errors.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import type { Decoded, DecodeJob } from './decode-file.ts'
import type { FromDecoder } from './decode-thread.ts'

const threadModule = new URL('./decode-thread.ts', import.meta.url)

/**
 * Heap limits, in mebibytes; sound is outside the heap. A file that makes a decoder use more is broken. A small young
 * generation frees written sound sooner.
 */
const heap = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 2 }

/**
 * Decodes in a thread of its own. Throws `Unreadable`, `NoRoom`, and the reason of the
 * signal; then it deletes the target.
 */
export const decodeInThread = async (
  job: DecodeJob,
  context: TaskContext,
  stallMillis: number,
): Promise<Decoded> => {
  try {
    return await run(job, context, stallMillis)
  } catch (error) {
    await rm(job.target, { force: true })
    throw error
  }
}

const run = async (
  job: DecodeJob,
  { signal, progress }: TaskContext,
  stallMillis: number,
): Promise<Decoded> => {
  signal.throwIfAborted()
  const thread = new Worker(threadModule, {
    workerData: job,
    // The decoders write to the console.
    stdout: true,
    stderr: true,
    resourceLimits: heap,
  })
  thread.stdout.resume()
  thread.stderr.resume()
  let timer: NodeJS.Timeout | undefined
  const { promise, resolve, reject } = Promise.withResolvers<Decoded>()
  const fail = (why: string, cause?: unknown) => reject(new Unreadable(why, { cause }))
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  thread.on('message', (message: FromDecoder) => {
    if (message.kind === 'done') return resolve(message.decoded)
    if (message.kind === 'no-room') return reject(new NoRoom(message.message, message.missing))
    if (message.kind === 'failed') return fail(message.why, causeOf(message))
    timer?.refresh()
    progress()
  })
  thread.on('error', (error: unknown) =>
    fail(`makes the decoder fail (${errorMessage(error)}); export it again`),
  )
  thread.on('exit', () => fail('makes the decoder end; export it again'))
  timer = setTimeout(
    () => fail(`makes the decoder hang for ${stallMillis / 1000} s; export it again`),
    stallMillis,
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await thread.terminate()
  }
}

/** Errors lose their code between threads; failures of this machine are recognised by it. */
const causeOf = ({ why, code }: { readonly why: string; readonly code?: string }): Error | undefined =>
  code === undefined ? undefined : Object.assign(new Error(why), { code })
