import { workerData } from 'node:worker_threads'
import { errorMessage } from '../../async/errors.ts'
import { MachineFailure } from '../../async/machine-failure.ts'
import { systemClock } from '../../async/system-clock.ts'
import { breather } from '../../async/threads/breather.ts'
import { importFactory } from '../../async/threads/import-factory.ts'
import { runJobs } from '../../async/threads/run-jobs.ts'
import { workAhead } from '../../async/work-ahead.ts'
import type { ContentEntry, ContentStore } from '../../ports/content-store.ts'
import { examineByStrongest, examineNow, type Seen, type Wanted, withClaimed } from './examine.ts'
import { type HashOutcome, hashContent } from './hash-content.ts'
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
    const outcome = await hashOne(store, job, post, signal)
    if (isInDoubt(outcome)) stores.delete(job.root)
    post({ kind: 'done', outcome })
  },
)

async function hashOne(
  store: ContentStore,
  job: HashJob,
  post: Post,
  signal: AbortSignal,
): Promise<HashOutcome> {
  let claims: ContentEntry['claims'] = []
  const algorithms = (entry: ContentEntry) => {
    claims = entry.claims
    return withClaimed(job.algorithms, claims)
  }
  const outcome = await hashContent(store, { ...job, algorithms, signal, onBytes: watchBytes(post, signal) })
  return outcome.status === 'read' && claims.length > 0 ? { ...outcome, claims } : outcome
}

/** Posts observations often enough that the thread is not taken for hung, and reacts to an abort as often. */
async function examineFiles(store: ContentStore, job: ExamineJob, post: Post, signal: AbortSignal) {
  const { root, files, oneByOne = false } = job
  const most = oneByOne ? 1 : (store.readsAtOnce ?? 1)
  const at = new Int32Array(job.at)
  let seen: Seen[] = []
  const breathe = breather(progressMillis, undefined, () => {
    post({ kind: 'seen', seen, isLast: false })
    seen = []
  })
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  const onBytes = watchBytes(post, ended, true)
  const examineByStep = (file: Wanted) =>
    examineByStrongest(store, file, (version, algorithms) => {
      const { path } = file
      const begin = version === undefined ? {} : { version }
      return hashContent(store, { path, ...begin, algorithms, signal: ended, onBytes })
    })
  // The throttle counts by the chunk.
  const examineFile = async (file: Wanted) =>
    (settings.throttle ? undefined : examineNow(store, file)) ?? (await examineByStep(file))
  let done = 0
  Atomics.store(at, 1, most)
  Atomics.store(at, 0, 0)
  try {
    for await (const examined of workAhead(files, most, examineFile)) {
      if (!examined || signal.aborted) return post({ kind: 'done', outcome: { status: 'aborted' } })
      if (isInDoubt(examined.content)) stores.delete(root)
      seen.push(examined)
      if (++done < files.length) Atomics.store(at, 0, done)
      await breathe()
    }
  } finally {
    failed.abort()
  }
  post({ kind: 'seen', seen, isLast: true })
}

/** Returns a listener for a reading, or for several at once, which posts progress and keeps to the throttle. */
function watchBytes(post: Post, signal: AbortSignal, areSeveral = false) {
  let heardAt = performance.now()
  let heardBytes = 0
  const postProgress = (bytes: number) => {
    heardAt = performance.now()
    heardBytes = bytes
    post({ kind: 'progress', bytes })
  }
  return (bytes: number, chunk: number): void | Promise<void> => {
    const beginsAgain = !areSeveral && bytes < heardBytes
    if (beginsAgain || performance.now() - heardAt >= progressMillis) postProgress(bytes)
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
    const store = openStore(root, settings.contentSettings)
    stores.set(root, store)
    return store
  } catch (error) {
    return { error: errorMessage(error) }
  }
}
