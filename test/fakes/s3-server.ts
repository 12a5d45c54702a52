import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { checkAccess } from './s3/access.ts'
import { unframed } from './s3/body.ts'
import { Bucket } from './s3/bucket.ts'
import { type Fault, send } from './s3/faults.ts'
import { Refusal } from './s3/refusal.ts'
import { type Answer, type RequestKind, requestOf, type S3Request } from './s3/request.ts'
import { type Account, carryOut } from './s3/routes.ts'
import { errorDocument } from './s3/xml.ts'

export type { Bucket, StoredObject } from './s3/bucket.ts'
export { type Fault, failing, internalError, slowDown } from './s3/faults.ts'
export type { ListedName } from './s3/names.ts'
export type { Answer, RequestKind, S3Request } from './s3/request.ts'
export { seedObject, seedParts } from './s3/seed.ts'

/** Sees each request before it is carried out; returns what goes wrong with it. */
export type Hook = (request: S3Request) => Fault | undefined | Promise<Fault | undefined>

export interface S3ServerOptions {
  readonly buckets?: readonly string[]
  /** Default: 5 MiB, as AWS has it. The last part of an upload may be shorter. */
  readonly minPartBytes?: number
  /** Refuses requests that are dated more than 15 minutes away; default: no. */
  readonly checksDate?: boolean
}

/**
 * S3 in memory, in the test's own process, on 127.0.0.1. It behaves as AWS documents and as versitygw and moto were seen to; it computes no
 * signature. `test/integration/s3/` runs the same facts on it and on real servers.
 */
export interface S3Server {
  readonly endpoint: string
  bucket(name: string): Bucket
  beforeEach(hook: Hook | undefined): void
  /** Requests so far, by kind; those that were refused count. */
  readonly counts: ReadonlyMap<RequestKind, number>
  count(kind: RequestKind): number
  forgetCounts(): void
  /** How far the server's clock is ahead. */
  skewMillis: number
  /** Every request is answered with ExpiredToken. */
  hasExpired: boolean
  /** Connections that were opened to it so far. */
  connections(): number
  /** Ends those that carry no request now. */
  endIdleConnections(): void
  close(): Promise<void>
}

export const startS3 = async (options: S3ServerOptions = {}): Promise<S3Server> => {
  const buckets = new Map((options.buckets ?? ['bucket']).map((name) => [name, new Bucket(name)]))
  const account: Account = { buckets, minPartBytes: options.minPartBytes ?? 5 * 1024 ** 2 }
  const counts = new Map<RequestKind, number>()
  let hook: Hook | undefined

  const answered = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isHead = incoming.method === 'HEAD'
    const received = await bodyOf(incoming)
    let fault: Fault | undefined
    const answer = await answerOf(incoming.url ?? '/', async () => {
      const body = unframed(incoming.headers, received)
      const request = requestOf(incoming, body, (name) => buckets.has(name))
      counts.set(request.kind, (counts.get(request.kind) ?? 0) + 1)
      fault = await hook?.(request)
      if (fault?.kind === 'answer') return fault.answer
      if (fault?.kind === 'delay') await wait(fault.millis)
      if (fault?.kind === 'refuse') return { status: 500 }
      checkAccess(request, {
        now: () => now(),
        checksDate: options.checksDate ?? false,
        hasExpired: server.hasExpired,
      })
      return carryOut(account, request, now())
    })
    if (fault?.kind === 'refuse') response.socket?.destroy()
    else
      await send(
        response,
        { ...answer, headers: { date: now().toUTCString(), ...answer.headers } },
        isHead,
        fault,
      )
  }

  const http = createServer((incoming, response) => {
    answered(incoming, response).catch((error: Error) => response.destroy(error))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')

  let connections = 0
  http.on('connection', () => {
    connections++
  })

  const now = () => new Date(Date.now() + server.skewMillis)
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    bucket: (name) => {
      const bucket = buckets.get(name)
      if (bucket === undefined) throw new Error(`the stub has no bucket ${name}`)
      return bucket
    },
    beforeEach: (next) => {
      hook = next
    },
    counts,
    count: (kind) => counts.get(kind) ?? 0,
    forgetCounts: () => counts.clear(),
    skewMillis: 0,
    hasExpired: false,
    connections: () => connections,
    endIdleConnections: () => http.closeIdleConnections(),
    close: async () => {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
    },
  }
  return server
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const answerOf = async (resource: string, work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message, headers } = error
    const body = status === 304 ? '' : errorDocument(code, message, resource.split('?')[0] ?? '/')
    return { status, headers: { 'content-type': 'application/xml', ...headers }, body }
  }
}
