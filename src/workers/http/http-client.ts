import { Worker } from 'node:worker_threads'
import type { HttpClient, HttpRequest } from '@fonds/download'
import { PermanentFailure, TransientFailure } from '@fonds/download'
import { createInbox } from '../../async/inbox.ts'
import { createSemaphore } from '../../async/semaphore.ts'
import { createThreadSlot, type ThreadSlot } from '../../async/threads/thread-slot.ts'
import type { HttpReply } from './http-messages.ts'

interface HttpClientOptions {
  /** A thread that posts nothing for much longer is replaced. */
  readonly stallMillis: number
  /** Most requests at a time: further ones wait for their turn, and begin when it comes. Default: no limit. */
  readonly maxThreads?: number
  /** Main module of the threads. Default: `http-thread.ts`. */
  readonly threadModule?: URL
}

interface HttpEnd {
  readonly error?: string
  readonly isInner?: boolean
}

type HttpSlot = ThreadSlot<HttpRequest, HttpReply, HttpEnd>

const ownThread = new URL('./http-thread.ts', import.meta.url)
/** The caller aborts after a stall: only a thread that does not react to that is replaced. */
const patienceMillis = 30_000
const closed = { error: 'was not fetched: the HTTP client is closed' }
/** Heap limit, in mebibytes: bodies are passed on chunk by chunk. */
const heap = { maxOldGenerationSizeMb: 128 }

/**
 * Runs each request in a thread of its own. An uncaught exception in the HTTP library would end the process: so it ends
 * the thread, and fails that one request.
 */
export const createHttpClient = ({
  stallMillis,
  maxThreads = Number.POSITIVE_INFINITY,
  threadModule = ownThread,
}: HttpClientOptions): HttpClient => {
  const slots: HttpSlot[] = []
  const idle: HttpSlot[] = []
  const turns = createSemaphore(maxThreads)
  let isClosed = false

  const open = (): HttpSlot => {
    const slot: HttpSlot = createThreadSlot({
      name: 'fetching',
      open: () => new Worker(threadModule, { resourceLimits: heap }),
      stallMillis: stallMillis + patienceMillis,
      stalled: 'the fetching thread hangs; the machine may be overloaded',
      lost: (error) => ({ error: `could not be fetched: ${error}` }),
      closed,
    })
    slots.push(slot)
    return slot
  }

  const run = async (job: HttpRequest, watch: Parameters<HttpSlot['run']>[1]): Promise<HttpEnd> => {
    // A thread that starts now would keep the process alive.
    if (isClosed) return closed
    const slot = idle.pop() ?? open()
    const end = await slot.run(job, watch)
    idle.push(slot)
    return end
  }

  const ask: HttpClient['ask'] = (job, { signal, begun }) =>
    new Promise((resolve, reject) => {
      const enough = new AbortController()
      const chunks = createInbox<Uint8Array>()
      const hear = (reply: HttpReply, goOn: () => void): HttpEnd | undefined => {
        if (reply.kind === 'begun') begun()
        else if (reply.kind === 'chunk') chunks.put(reply.bytes)
        else if (reply.kind === 'done') return reply
        else
          resolve({
            status: reply.status,
            headers: new Headers([...reply.headers]),
            body: bodyOf(chunks.items(), goOn),
            [Symbol.asyncDispose]: async () => {
              enough.abort()
              await ended
            },
          })
        return undefined
      }
      const watch = { signal: AbortSignal.any([signal, enough.signal]), hear, waitsAfter }
      const ended = turns
        .run({ signal, progress: () => {} }, () => run(job, watch))
        .then(({ error, isInner }) => {
          if (error === undefined) return chunks.end()
          const failure = isInner ? new PermanentFailure(error) : new TransientFailure(error)
          chunks.end({ error: failure })
          reject(failure)
        }, reject)
    })

  const get: HttpClient['get'] = (address, headers, asking) => ask({ address, headers }, asking)

  return {
    get,
    ask,
    close: async () => {
      isClosed = true
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

/** The consumer of a body may take long: that time is not the thread's. */
const waitsAfter = ({ kind }: HttpReply): boolean => kind === 'answer' || kind === 'chunk'

async function* bodyOf(chunks: AsyncIterable<Uint8Array>, goOn: () => void): AsyncGenerator<Uint8Array> {
  goOn()
  for await (const chunk of chunks) {
    yield chunk
    goOn()
  }
}
