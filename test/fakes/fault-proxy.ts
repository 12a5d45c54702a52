import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { type Fault, send } from './s3/faults.ts'
import { type Answer, requestOf, type S3Request } from './s3/request.ts'

/** Stands before a real S3 server, and lets requests and answers go wrong. It passes all else on as it is. */
export interface FaultProxy {
  readonly endpoint: string
  /** Sees each request before it is passed on; returns what goes wrong with it. */
  beforeEach(hook: ((request: S3Request) => Fault | undefined) | undefined): void
  /** Requests of each kind that came, in their order. */
  readonly seen: readonly S3Request['kind'][]
  count(kind: S3Request['kind']): number
  close(): Promise<void>
}

export const startFaultProxy = async (target: string): Promise<FaultProxy> => {
  const pool = new Pool(target)
  const seen: S3Request['kind'][] = []
  let hook: ((request: S3Request) => Fault | undefined) | undefined

  const answered = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const request = requestOf(incoming, body, () => false)
    seen.push(request.kind)
    const fault = hook?.(request)
    if (fault?.kind === 'refuse') {
      response.socket?.destroy()
      return
    }
    if (fault?.kind === 'delay') await wait(fault.millis)
    const answer = fault?.kind === 'answer' ? fault.answer : await passedOn(pool, incoming, body)
    await send(response, answer, incoming.method === 'HEAD', fault)
  }

  const http = createServer((incoming, response) => {
    answered(incoming, response).catch((error: Error) => response.destroy(error))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')

  return {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    beforeEach: (next) => {
      hook = next
    },
    seen,
    count: (kind) => seen.filter((one) => one === kind).length,
    close: async () => {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
      await pool.close()
    },
  }
}

/** Of one connection alone; the host is signed, and stays. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect']

const passedOn = async (pool: Pool, incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
  const method = (incoming.method ?? 'GET') as Dispatcher.HttpMethod
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
  const response = await pool.request({
    method,
    path: incoming.url ?? '/',
    headers: kept(incoming.headers),
    ...(hasBody && { body }),
  })
  const received = Buffer.from(await response.body.arrayBuffer())
  const headers = kept(response.headers)
  const length = response.headers['content-length']
  if (method === 'HEAD' && length !== undefined) headers['content-length'] = String(length)
  return { status: response.statusCode, headers, body: received }
}

const kept = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.includes(name) ? [] : [[name, String(value)]],
    ),
  )
