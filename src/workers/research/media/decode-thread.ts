import { parentPort, workerData } from 'node:worker_threads'
import { Unreadable } from '@fonds/sound'
import { errorMessage } from '../../../async/errors.ts'
import { NoRoom } from '../../../async/machine-failure.ts'
import { type Decoded, type DecodeJob, decodeFile } from './decode-file.ts'

/* Main module of a decoding thread: it decodes one file, then ends. */

export type FromDecoder =
  | { readonly kind: 'progress' }
  | { readonly kind: 'done'; readonly decoded: Decoded }
  /** `why` continues a sentence that begins with the address; `code` is the system's error code, if any. */
  | { readonly kind: 'failed'; readonly why: string; readonly code?: string }
  /** Message and missing bytes of a `NoRoom`. */
  | { readonly kind: 'no-room'; readonly message: string; readonly missing: number }

const port = parentPort
if (!port) throw new Error('decode-thread.ts is run by decode.ts, not by itself')

const progressMillis = 200
let reportedAt = performance.now()

const onProgress = () => {
  if (performance.now() - reportedAt < progressMillis) return
  reportedAt = performance.now()
  port.postMessage({ kind: 'progress' } satisfies FromDecoder)
}

port.postMessage(
  await decodeFile(workerData as DecodeJob, onProgress).then(
    (decoded): FromDecoder => ({ kind: 'done', decoded }),
    failure,
  ),
)

function failure(error: unknown): FromDecoder {
  if (error instanceof NoRoom) return { kind: 'no-room', message: error.message, missing: error.missing }
  return { kind: 'failed', why: sentence(error), ...codeOf(error) }
}

function codeOf(error: unknown): { readonly code?: string } {
  return error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
}

function sentence(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  const text = errorMessage(error)
  const isOfDisk = error instanceof Error && 'syscall' in error
  return isOfDisk
    ? `cannot be stored: ${text}; check the disk`
    : `cannot be decoded: ${text}; export it again`
}
