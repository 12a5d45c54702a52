import { workerData } from 'node:worker_threads'
import { errorMessage } from '../../async/errors.ts'
import { systemClock } from '../../async/system-clock.ts'
import { importFactory } from '../../async/threads/import-factory.ts'
import { runJobs } from '../../async/threads/run-jobs.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { hashContent } from './hash-content.ts'
import type { HashJob, HashReply, OpenContentStore, ThreadSettings } from './hash-messages.ts'
import { waitForBudget } from './throttle.ts'

/*
 * The main module of a hash thread. It keeps opened stores. An exception ends the thread;
 * the pool replaces it.
 */

/** Progress is posted when either has passed since the last. */
const progressMillis = 100
const progressBytes = 16 * 1024 * 1024

const settings = workerData as ThreadSettings

const openStore = await importFactory<OpenContentStore>(settings.contentStoreModule, 'a content store')
const stores = new Map<string, ContentStore>()
runJobs<HashJob, HashReply>('hash-thread.ts is run by the hash pool', async (job, post, signal) => {
  let heardAt = performance.now()
  let heardBytes = 0
  const postProgress = (bytes: number) => {
    heardAt = performance.now()
    heardBytes = bytes
    post({ kind: 'progress', bytes })
  }

  const store = storeAt(job.root)
  if ('error' in store) return post({ kind: 'done', outcome: { status: 'failed', error: store.error } })
  const outcome = await hashContent(store, {
    ...job,
    signal,
    onBytes: (bytes, chunk) => {
      const due = performance.now() - heardAt >= progressMillis || bytes - heardBytes >= progressBytes
      if (due || bytes < heardBytes) postProgress(bytes)
      if (settings.throttle)
        return waitForBudget(settings.throttle, chunk, systemClock.sleep, () => postProgress(bytes), signal)
    },
  })
  // Its folder may be another one by now: the next job opens it again.
  if (outcome.status === 'failed' || outcome.status === 'missing') stores.delete(job.root)
  post({ kind: 'done', outcome })
})

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
