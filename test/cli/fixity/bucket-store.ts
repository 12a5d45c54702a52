import { createHash } from 'node:crypto'
import { onTestFinished, vi } from 'vitest'
import type { System } from '#src/app/system.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { items } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { checksum } from '../../fakes/s3/checksums.ts'
import { type Bucket, type S3Server, type StoredObject, seedObject, startS3 } from '../../fakes/s3-server.ts'

/** A server of S3 with one bucket, which the system of this test reaches by AWS's own variables. */
export const bucketHere = async (): Promise<{ readonly server: S3Server; readonly bucket: Bucket }> => {
  const server = await startS3({ buckets: ['archive'] })
  onTestFinished(() => server.close())
  reach(server)
  return { server, bucket: server.bucket('archive') }
}

export const reach = ({ endpoint }: Pick<S3Server, 'endpoint'>): void => {
  const variables = {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

export const root = 's3://archive/main'

/** Puts an object whose ETag and checksum are those of other bytes. */
export const seedWithWord = (
  bucket: Bucket,
  key: string,
  content: string,
  word = content,
  own: Partial<StoredObject> = {},
): StoredObject =>
  seedObject(bucket, key, content, {
    etag: createHash('md5').update(word).digest('hex'),
    checksums: { CRC64NVME: checksum('CRC64NVME', Buffer.from(word)) },
    ...own,
  })

export const add = (system: System, options: object = {}) =>
  addFolder(system, root, { actor: 'ada', ...options }, () => {}, new AbortController().signal)

export const check = (system: System, scope: object = {}, wait = true) =>
  checkNow(system, scope, { actor: 'ada', wait, signal: new AbortController().signal }, () => {})

export const itemAt = (system: System, path: string) =>
  rows(system.viewStore, items, { where: [is('path', path)] })[0]
