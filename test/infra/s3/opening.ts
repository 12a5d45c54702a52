import { systemClock } from '#src/async/system-clock.ts'
import { openBucket, type S3Bucket } from '../../../infra/s3/bucket.ts'
import { type Credentials, credentialChain } from '../../../infra/s3/credentials.ts'
import type { S3Settings } from '../../../infra/s3/settings.ts'
import { type S3Server, type S3ServerOptions, startS3 } from '../../fakes/s3-server.ts'

export interface OpenedStub {
  readonly server: S3Server
  readonly bucket: S3Bucket
  /** Pauses before retries, in milliseconds; none of them is waited for. */
  readonly pauses: readonly number[]
  close(): Promise<void>
}

/** A bucket on a server in this process, asked through our client. */
export const openStub = async (
  settings: S3Settings = {},
  {
    options,
    credentials,
  }: { readonly options?: S3ServerOptions; readonly credentials?: () => Credentials } = {},
): Promise<OpenedStub> => {
  const server = await startS3(options)
  const pauses: number[] = []
  const clock = { ...systemClock, sleep: async (millis: number) => void pauses.push(millis) }
  const bucket = openBucket(
    'bucket',
    { endpoint: server.endpoint, region: 'us-east-1', ...settings },
    {
      clock,
      credentials: credentialChain(undefined, async () => async () => (credentials ?? someCredentials)()),
    },
  )
  return {
    server,
    bucket,
    pauses,
    close: async () => {
      await bucket.close()
      await server.close()
    },
  }
}

export const someCredentials = (): Credentials => ({ accessKeyId: 'id', secretAccessKey: 'secret' })

export const bytesIn = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export const keysOf = async (pages: ReturnType<S3Bucket['list']>): Promise<readonly string[]> => {
  const keys: string[] = []
  for await (const { objects } of pages) keys.push(...objects.map(({ key }) => key))
  return keys
}
