import { parentPort } from 'node:worker_threads'
import type { HttpRequest } from '@fonds/download'
import { PermanentFailure } from '@fonds/download'
import { createFetchClient } from '@fonds/download/client'
import { errorMessage } from '../../async/errors.ts'
import type { FromThread, ToThread } from '../../async/threads/thread-slot.ts'
import type { HttpReply } from './http-messages.ts'

/*
 * Main module of a thread of the HTTP client: one request at a time. An exception outside of a request ends the thread
 * alone.
 */

const port = parentPort
if (!port) throw new Error('http-thread.ts is run by http-client.ts, not by itself')
const post = (message: FromThread<HttpReply>) => port.postMessage(message)

const client = createFetchClient()

let underWay = new AbortController()
let goOn = () => {}

port.on('message', (message: ToThread<HttpRequest>) => {
  if (message.kind === 'job') return void run(message.job)
  if (message.kind === 'abort') underWay.abort()
  goOn()
})
post({ kind: 'ready' })

async function run(job: HttpRequest): Promise<void> {
  underWay = new AbortController()
  const { signal } = underWay
  const postAndWait = async (message: HttpReply) => {
    post(message)
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    signal.throwIfAborted()
  }
  try {
    await using answer = await client.ask(job, { signal, begun: () => post({ kind: 'begun' }) })
    await postAndWait({ kind: 'answer', status: answer.status, headers: [...answer.headers] })
    for await (const bytes of answer.body) await postAndWait({ kind: 'chunk', bytes })
    post({ kind: 'done' })
  } catch (error) {
    post({
      kind: 'done',
      error: errorMessage(error),
      ...(error instanceof PermanentFailure && { isInner: true }),
    })
  }
}
