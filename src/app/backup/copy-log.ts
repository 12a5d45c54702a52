import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { UnavailableError } from '../../async/unavailable.ts'
import type { CopyTools } from '../../workflows/copy-files.ts'

/** A copied log's description. */
export interface CopiedLog {
  /** Absent if the file holds only topics: the log is on a server. */
  readonly log?: string
  /** Position of the last event; as text, since JSON has no 64-bit integers. */
  readonly position?: string
}

export type FromCopyThread =
  | { readonly kind: 'done'; readonly copied: CopiedLog }
  | { readonly kind: 'failed'; readonly message: string }

const reportMillis = 200

/**
 * Copies log, topics and groups in one snapshot, while others write, and verifies that the copy can be read. Runs in a
 * thread, since SQLite does it in one call.
 */
export const copyLog = async (
  from: string,
  to: string,
  { signal, onBytes }: CopyTools,
): Promise<CopiedLog> => {
  // SQLite would create it without regard to the umask; it copies into an empty file as well.
  await (await open(to, 'wx')).close()
  const worker = new Worker(new URL('./copy-log-thread.ts', import.meta.url), { workerData: { from, to } })
  let reported = 0
  const report = () => {
    const size = statSync(to, { throwIfNoEntry: false })?.size ?? 0
    onBytes(Math.max(0, size - reported))
    reported = Math.max(reported, size)
  }
  const timer = setInterval(report, reportMillis)
  const { promise, resolve, reject } = Promise.withResolvers<CopiedLog>()
  const onAbort = () => {
    void worker.terminate()
    reject(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  worker.on('message', (message: FromCopyThread) => {
    if (message.kind === 'done') resolve(message.copied)
    else reject(new UnavailableError(`${from} cannot be copied: ${message.message}`))
  })
  worker.on('error', reject)
  try {
    const copied = await promise
    report()
    return copied
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}
