import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread-slot.ts'

/**
 * The thread's side of a slot: `run` does one job at a time, and posts its replies; `signal` aborts when the job is to
 * end. To be called once everything is loaded. `whose` begins the error if the module runs outside a thread.
 */
export const runJobs = <Job, Reply>(
  whose: string,
  run: (job: Job, post: (reply: Reply) => void, signal: AbortSignal) => Promise<void>,
): void => {
  const port = parentPort
  if (!port) throw new Error(`${whose}, not by itself`)
  const post = (message: FromThread<Reply>) => port.postMessage(message)
  let underWay: AbortController | undefined

  port.on('message', (message: ToThread<Job>) => {
    if (message.kind === 'abort') underWay?.abort()
    if (message.kind !== 'job') return
    underWay = new AbortController()
    void run(message.job, post, underWay.signal)
  })
  post({ kind: 'ready' })
}
