import { openAsBlob } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Agent, fetch } from 'undici'
import type { FromThread, ToThread } from '../../async/threads/thread-slot.ts'
import type { HttpJob, HttpReply } from './http-messages.ts'
import { reasonOf } from './http-reasons.ts'
import { failIfInner, InnerAddress, lookupPublic } from './inner-addresses.ts'

/* What a thread of the HTTP client runs: one request at a time. An exception outside of it ends the thread alone. */

const port = parentPort
if (!port) throw new Error('http-thread.ts is run by http-client.ts, not by itself')
const post = (message: FromThread<HttpReply>) => port.postMessage(message)

/** Its connections are used for none of the other requests. */
const publicAgent = new Agent({ connect: { lookup: lookupPublic } })

let underWay = new AbortController()
let goOn = () => {}

port.on('message', (message: ToThread<HttpJob>) => {
  if (message.kind === 'job') return void run(message.job)
  if (message.kind === 'abort') underWay.abort()
  goOn()
})
post({ kind: 'ready' })

async function run({ address, bodyFile, publicOnly = false, ...asked }: HttpJob): Promise<void> {
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
    post({ kind: 'begun' })
    if (publicOnly) failIfInner(new URL(address).hostname)
    const {
      status,
      headers: said,
      body,
    } = await fetch(address, {
      ...asked,
      ...(bodyFile !== undefined && { body: await openAsBlob(bodyFile) }),
      redirect: 'manual',
      signal,
      ...(publicOnly && { dispatcher: publicAgent }),
    })
    await postAndWait({ kind: 'answer', status, headers: [...said] })
    for await (const bytes of body ?? []) await postAndWait({ kind: 'chunk', bytes })
    post({ kind: 'done' })
  } catch (error) {
    const inner = [error, (error as Error).cause].find((one) => one instanceof InnerAddress)
    post(
      inner
        ? { kind: 'done', error: inner.message, isInner: true }
        : { kind: 'done', error: reasonOf(error) },
    )
  }
}
