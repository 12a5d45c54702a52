import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { each, one } from '../../fakes/s3/xml.ts'
import type { S3Call, S3Calls, S3Reply } from '../../fakes/s3-calls.ts'

/** A fact that does not hold on a server. */
export type S3Fact =
  | 'access'
  | 'archives'
  | 'checksumOfHead'
  | 'checksumsAreChecked'
  | 'conditionalCompleteByETag'
  | 'defaultChecksum'
  | 'escapedNames'
  | 'foldersApart'
  | 'partNumbers'
  | 'readingAMarker'

export interface S3ServerUnderTest {
  readonly calls: S3Calls
  readonly dispose: () => Promise<void>
}

export type Headers = Readonly<Record<string, string>>

/** Requests about the keys of one bucket, which is a new one in each test. */
export interface S3Tools {
  /** A test; where the server lacks the fact, one that must fail. */
  fact(name: S3Fact): typeof test
  readonly calls: S3Calls
  readonly bucket: string
  /** An empty key: the bucket itself. */
  call(method: string, key: string, options?: S3Call): Promise<S3Reply>
  put(key: string, body?: Uint8Array | string, headers?: Headers): Promise<S3Reply>
  /** With the checksum. */
  head(key: string, query?: Headers): Promise<S3Reply>
}

export const s3Tools = (start: () => Promise<S3ServerUnderTest>, lacks: readonly S3Fact[]): S3Tools => {
  let server: S3ServerUnderTest
  let bucket: string
  beforeAll(async () => {
    server = await start()
  })
  afterAll(async () => {
    await server?.calls.close()
    await server?.dispose()
  })
  beforeEach(async () => {
    bucket = `facts-${randomUUID().slice(0, 8)}`
    expect(await server.calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
  })
  const call = (method: string, key: string, options?: S3Call) =>
    server.calls.call(method, key === '' ? `/${bucket}` : `/${bucket}/${key}`, options)
  return {
    fact: (name) => (lacks.includes(name) ? (test.fails as typeof test) : test),
    get calls() {
      return server.calls
    },
    get bucket() {
      return bucket
    },
    call,
    put: async (key, body = 'content', headers = {}) => {
      const reply = await call('PUT', key, { body, headers })
      expect(reply).toMatchObject({ status: 200 })
      return reply
    },
    head: (key, query = {}) => call('HEAD', key, { query, headers: { 'x-amz-checksum-mode': 'ENABLED' } }),
  }
}

export const codeOf = (reply: { readonly body: Buffer }): string | undefined =>
  one(reply.body.toString(), 'Code')
export const keysIn = (text: string): readonly (string | undefined)[] =>
  each(text, 'Key').map((key) => one(`<K>${key}</K>`, 'K'))
