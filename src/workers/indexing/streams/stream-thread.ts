import { workerData } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { errorMessage } from '../../../async/errors.ts'
import { importFactory } from '../../../async/threads/import-factory.ts'
import { fillRing } from '../../../async/threads/ring/fill-ring.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../../ports/content-store.ts'
import type { StreamJob, StreamOutcome, StreamReply, StreamThreadSettings } from './messages.ts'

/*
 * Main module of a thread that asks servers for archive files, and hands their bytes to a thread that reads them. An
 * exception ends the thread; its slot replaces it.
 */

type OpenContentStore = (root: string, settings: unknown) => ContentStore

const { contentStoreModule, contentSettings } = workerData as StreamThreadSettings
const openStore = await importFactory<OpenContentStore>(contentStoreModule, 'a content store')
const stores = new Map<string, ContentStore>()

const storeFor = ({ root, http }: StreamJob): ContentStore => {
  const key = JSON.stringify([root, http])
  const store = stores.get(key) ?? openStore(root, { ...(contentSettings as object | undefined), http })
  stores.set(key, store)
  return store
}

runJobs<StreamJob, StreamReply>('stream-thread.ts is run by streams.ts', async (job, post, signal) => {
  post({ kind: 'done', outcome: await outcomeOf(job, signal) })
})

async function outcomeOf(job: StreamJob, signal: AbortSignal): Promise<StreamOutcome> {
  try {
    const store = storeFor(job)
    if (job.kind === 'stat') {
      const found = await store.stat(job.path)()
      return E.isRight(found)
        ? { status: 'found', entry: found.right }
        : { status: 'failed', failure: found.left }
    }
    await fillRing<ContentFailure>(job.memory, sourceOf(store, job.path, job.entry, signal))
    return { status: 'closed' }
  } catch (error) {
    return { status: 'broken', reason: errorMessage(error) }
  }
}

const sourceOf = (
  store: ContentStore,
  path: string,
  { version, size }: ContentEntry,
  ended: AbortSignal,
): Parameters<typeof fillRing<ContentFailure>>[1] => ({
  size,
  read: async ({ from, to }, give, signal) => {
    const options = { version, from, ...(to < size && { to }), signal: AbortSignal.any([signal, ended]) }
    const read = await store.read(path, options, give)()
    return E.isLeft(read) ? clipped(read.left) : undefined
  },
  isUnchanged: async () => {
    const now = await store.stat(path)()
    if (E.isRight(now)) return now.right.version === version
    return now.left.kind === 'NotFound' ? false : { failure: clipped(now.left) }
  },
  tooShort: (bytes) => ({ kind: 'Unreadable', path, reason: `got ${bytes} of ${size} bytes` }),
})

const maxReason = 2000

/** It has to fit into the ring. */
const clipped = (failure: ContentFailure): ContentFailure =>
  'reason' in failure
    ? { ...failure, path: '', reason: failure.reason.slice(0, maxReason) }
    : { ...failure, path: '' }
