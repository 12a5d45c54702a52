import { Worker } from 'node:worker_threads'
import { type ThreadSlot, threadSlot } from '../../runtime/thread-slot.ts'
import { inbox } from '../search/inbox.ts'
import { Passing } from './http-failures.ts'
import type { HttpJob, HttpTold } from './http-messages.ts'

export interface Answer extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** Can be read once; no more is fetched than is read. Throws `Passing` where it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface Asking {
  readonly signal: AbortSignal
  /** Called when the request goes out: a thread may have to be started before. */
  readonly begun: () => void
}

/**
 * Asks foreign servers, each request in a thread of its own: whatever a server does to the HTTP library, at worst it ends
 * that thread, which fails that request alone (an exception that nobody caught would end the process, with all its roles).
 */
export interface HttpClient {
  /** Follows no redirects. To be disposed of. Throws `Passing`, also when the signal aborts. */
  get(address: string, headers: Readonly<Record<string, string>>, asking: Asking): Promise<Answer>
  close(): Promise<void>
}

export interface HttpClientOptions {
  /** A thread that says nothing for much longer is replaced. */
  readonly stallMillis: number
  /** What the threads run. Default: `http-thread.ts`. */
  readonly threadModule?: URL
}

interface HttpEnd {
  readonly error?: string
}

type HttpSlot = ThreadSlot<HttpJob, HttpTold, HttpEnd>

const ownThread = new URL('./http-thread.ts', import.meta.url)
/** Who asks gives up after a stall and says so: only a thread that does not hear even that is replaced. */
const patienceMillis = 30_000
/** Mebibytes of objects: bodies are handed on chunk by chunk. */
const heap = { maxOldGenerationSizeMb: 128 }

export const createHttpClient = ({
  stallMillis,
  threadModule = ownThread,
}: HttpClientOptions): HttpClient => {
  const slots: HttpSlot[] = []
  const idle: HttpSlot[] = []

  const open = (): HttpSlot => {
    const slot: HttpSlot = threadSlot({
      name: 'fetching',
      open: () => new Worker(threadModule, { resourceLimits: heap }),
      stallMillis: stallMillis + patienceMillis,
      stalled: 'the fetching thread hangs; the machine may be overloaded',
      lost: (error) => ({ error: `could not be fetched: ${error}` }),
      closed: { error: 'was not fetched: the recordings are closed' },
    })
    slots.push(slot)
    return slot
  }

  const get: HttpClient['get'] = (address, headers, { signal, begun }) =>
    new Promise((resolve, reject) => {
      const slot = idle.pop() ?? open()
      const enough = new AbortController()
      const chunks = inbox<Uint8Array>()
      const hear = (told: HttpTold, goOn: () => void): HttpEnd | undefined => {
        if (told.kind === 'begun') begun()
        else if (told.kind === 'chunk') chunks.put(told.bytes)
        else if (told.kind === 'done') return told
        else
          resolve({
            status: told.status,
            headers: new Headers([...told.headers]),
            body: bodyOf(chunks.items(), goOn),
            [Symbol.asyncDispose]: async () => {
              enough.abort()
              await ended
            },
          })
        return undefined
      }
      const job = { address, headers }
      const watch = { signal: AbortSignal.any([signal, enough.signal]), hear }
      const ended = slot.run(job, watch).then(({ error }) => {
        idle.push(slot)
        if (error === undefined) return chunks.end()
        const failure = new Passing(error)
        chunks.end({ error: failure })
        reject(failure)
      })
    })

  return { get, close: async () => void (await Promise.all(slots.map((slot) => slot.close()))) }
}

async function* bodyOf(chunks: AsyncIterable<Uint8Array>, goOn: () => void): AsyncGenerator<Uint8Array> {
  goOn()
  for await (const chunk of chunks) {
    yield chunk
    goOn()
  }
}
