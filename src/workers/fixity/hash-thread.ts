import { workerData } from 'node:worker_threads'
import { errorMessage } from '../../async/errors.ts'
import { MachineFailure } from '../../async/machine-failure.ts'
import { systemClock } from '../../async/system-clock.ts'
import { breather } from '../../async/threads/breather.ts'
import { importFactory } from '../../async/threads/import-factory.ts'
import { runJobs } from '../../async/threads/run-jobs.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { examineAtOnce, examineNow, type Seen, type Wanted } from './examine.ts'
import { hashContent } from './hash-content.ts'
import type { ExamineJob, HashJob, HashReply, OpenContentStore, ThreadSettings } from './hash-messages.ts'
import { waitForBudget } from './throttle.ts'

/* Main module of a hash thread. It caches opened stores. An exception ends the thread; the pool replaces it. */

/** Interval of progress messages: each wakes the main thread, which takes as long as half a MiB. */
const progressMillis = 100

const settings = workerData as ThreadSettings

const openStore = await importFactory<OpenContentStore>(settings.contentStoreModule, 'a content store')
const stores = new Map<string, ContentStore>()
type Post = (reply: HashReply) => void

runJobs<HashJob | ExamineJob, HashReply>(
  'hash-thread.ts is run by the hash pool',
  async (job, post, signal) => {
    const store = storeAt(job.root)
    if ('error' in store) return post({ kind: 'done', outcome: { status: 'failed', error: store.error } })
    if ('files' in job)
      return examineFiles(store, job, post, signal).catch((error: unknown) => {
        if (!(error instanceof MachineFailure)) throw error
        post({ kind: 'done', outcome: { status: 'machine', reason: error.message } })
      })
    const onBytes = watchBytes(post, signal)
    const outcome = await hashContent(store, { ...job, signal, onBytes })
    if (isInDoubt(outcome)) stores.delete(job.root)
    post({ kind: 'done', outcome })
  },
)

/** Posts observations often enough that the thread is not taken for hung, and reacts to an abort as often. */
async function examineFiles(store: ContentStore, job: ExamineJob, post: Post, signal: AbortSignal) {
  const { root, files } = job
  const at = new Int32Array(job.at)
  let seen: Seen[] = []
  const breathe = breather(progressMillis, undefined, () => {
    post({ kind: 'seen', seen, isLast: false })
    seen = []
  })
  const examineByStep = (file: Wanted) =>
    examineAtOnce(store, file, (version, algorithms) => {
      const { path } = file
      const begin = version === undefined ? {} : { version }
      return hashContent(store, { path, ...begin, algorithms, signal, onBytes: watchBytes(post, signal) })
    })
  for (const [i, file] of files.entries()) {
    Atomics.store(at, 0, i)
    // The throttle counts by the chunk.
    const examined = (settings.throttle ? undefined : examineNow(store, file)) ?? (await examineByStep(file))
    if (!examined || signal.aborted) return post({ kind: 'done', outcome: { status: 'aborted' } })
    if (isInDoubt(examined.content)) stores.delete(root)
    seen.push(examined)
    await breathe()
  }
  post({ kind: 'seen', seen, isLast: true })
}

/** Returns a listener for one reading, which posts its progress and keeps to the throttle. */
function watchBytes(post: Post, signal: AbortSignal) {
  let heardAt = performance.now()
  let heardBytes = 0
  const postProgress = (bytes: number) => {
    heardAt = performance.now()
    heardBytes = bytes
    post({ kind: 'progress', bytes })
  }
  return (bytes: number, chunk: number): void | Promise<void> => {
    if (performance.now() - heardAt >= progressMillis || bytes < heardBytes) postProgress(bytes)
    if (settings.throttle)
      return waitForBudget(settings.throttle, chunk, systemClock.sleep, () => postProgress(bytes), signal)
  }
}

/** The root may be another folder by now: the next job opens it again. */
function isInDoubt({ status }: { readonly status: string }): boolean {
  return status === 'failed' || status === 'missing'
}

function storeAt(root: string): ContentStore | { readonly error: string } {
  const open = stores.get(root)
  if (open) return open
  try {
    const store = openStore(root)
    stores.set(root, store)
    return store
  } catch (error) {
    return { error: errorMessage(error) }
  }
}
