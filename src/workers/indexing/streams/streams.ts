import { Worker } from 'node:worker_threads'
import type { TaskContext } from '../../../async/task-context.ts'
import { createRing, failRing, stopRing } from '../../../async/threads/ring/layout.ts'
import { createThreadPool } from '../../../async/threads/thread-pool.ts'
import { createThreadSlot } from '../../../async/threads/thread-slot.ts'
import type { ContentEntry, ContentFailure } from '../../../ports/content-store.ts'
import type { ContentPlace } from './content-place.ts'
import type {
  HttpRules,
  StreamFile,
  StreamJob,
  StreamOutcome,
  StreamReply,
  StreamThreadSettings,
} from './messages.ts'

/** Archive files that are read where they lie, on servers. */
export interface Streams {
  /** Throws when the signal aborts. */
  stat(place: ContentPlace, http: HttpRules, context: TaskContext): Promise<StreamOutcome>
  /** Hands out the bytes of that entry, until `use` has ended. Throws when the signal aborts. */
  withStream<A>(
    place: ContentPlace,
    http: HttpRules,
    entry: ContentEntry,
    context: TaskContext,
    use: (file: StreamFile) => Promise<A>,
  ): Promise<A>
  close(): Promise<void>
}

/** Silences after which a reader gives up, if its stream has not: each request of that ends after one. */
const silences = 20
/** Bytes of a file that are read ahead. */
const aheadBytes = 8 * 1024 * 1024

const threadModule = new URL('./stream-thread.ts', import.meta.url)

/** `files`: how many may be read at once. Threads start with the first file that is on a server. */
export const createStreams = (
  files: number,
  {
    contentStoreModule,
    contentSettings,
  }: { readonly contentStoreModule: URL; readonly contentSettings?: unknown },
): Streams => {
  const workerData: StreamThreadSettings = {
    contentStoreModule: contentStoreModule.href,
    ...(contentSettings !== undefined && { contentSettings }),
  }
  const pool = createThreadPool(files, () =>
    createThreadSlot<StreamJob, StreamReply, StreamOutcome>({
      name: 'streaming',
      open: () => new Worker(threadModule, { workerData }),
      lost: (reason) => ({ status: 'broken', reason }),
      closed: { status: 'broken', reason: 'the reading was stopped' },
    }),
  )
  const run = async (
    job: StreamJob,
    { signal, progress }: TaskContext,
    queueSignal = signal,
  ): Promise<StreamOutcome> => {
    const hear = ({ outcome }: StreamReply) => outcome
    return (await pool.run(job, { hear, signal, queueSignal, onWait: progress })) ?? stopped
  }

  return {
    stat: async (place, http, context) => {
      const outcome = await run({ kind: 'stat', ...place, http }, context)
      context.signal.throwIfAborted()
      return outcome
    },
    withStream: async (place, http, entry, context, use) => {
      const { root, path } = place
      const memory = createRing(Math.min(aheadBytes, Math.max(entry.size, 1)))
      const ended = new AbortController()
      const signal = AbortSignal.any([context.signal, ended.signal])
      signal.addEventListener('abort', () => stopRing(memory), { once: true })
      const job = { kind: 'stream', root, path, http, entry, memory } as const
      const streaming = run(job, context, signal).then((outcome) => {
        // Its reader would wait for a thread that is lost.
        if (outcome.status === 'broken') failRing(memory, broken(outcome.reason))
      })
      const { size, modifiedAt } = entry
      const maxWaitMillis = silences * http.stallMillis
      try {
        const used = await use({ memory, size, modifiedAt, location: `${root}/${path}`, maxWaitMillis })
        // A stop ends the stream: its reader may have taken that for a failure of the server.
        context.signal.throwIfAborted()
        return used
      } finally {
        ended.abort()
        await streaming
      }
    },
    close: pool.close,
  }
}

const stopped: StreamOutcome = { status: 'broken', reason: 'the reading was stopped' }

const broken = (reason: string): ContentFailure => ({
  kind: 'Unreadable',
  path: '',
  reason: reason.slice(0, 2000),
})
