import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import { type Bucket, seedObject } from './s3-server.ts'

export const md5Of = (bytes: Uint8Array | string): string => createHash('md5').update(bytes).digest('hex')

export const schema = 'Bucket, Key, Size, LastModifiedDate, ETag, StorageClass'
export const versionsSchema =
  'Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag, ChecksumAlgorithm'

/** The files of an inventory as S3 Inventory lays them out, by their keys. */
export interface MadeInventory {
  readonly manifest: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

export interface InventoryOptions {
  readonly sourceBucket?: string
  readonly fileFormat?: string
  readonly fileSchema?: string
  readonly createdAt?: string
  /** Fields that stand in the place of those of the manifest. */
  readonly own?: object
}

const folder = 'logs/archive/daily'

/** Makes an inventory whose CSV files have these rows. */
export const makeInventory = (
  files: readonly (readonly (readonly string[])[])[],
  {
    sourceBucket = 'archive',
    fileFormat = 'CSV',
    fileSchema = schema,
    createdAt = '2026-05-01T00:00:00.000Z',
    own,
  }: InventoryOptions = {},
): MadeInventory => {
  const made = new Map<string, Uint8Array>()
  const listed = files.map((rows, i) => {
    const key = `${folder}/data/part-${i}.csv.gz`
    const bytes = gzipSync(stringify(rows as string[][], { quoted: true }))
    made.set(key, bytes)
    return { key, size: bytes.byteLength, MD5checksum: md5Of(bytes) }
  })
  const manifest = `${folder}/2026-05-01T00-00Z/manifest.json`
  const text = JSON.stringify({
    sourceBucket,
    destinationBucket: 'arn:aws:s3:::inventories',
    version: '2016-11-30',
    creationTimestamp: String(Date.parse(createdAt)),
    fileFormat,
    fileSchema,
    files: listed,
    ...own,
  })
  made.set(manifest, Buffer.from(text))
  made.set(manifest.replace('.json', '.checksum'), Buffer.from(`${md5Of(text)}\n`))
  return { manifest, files: made }
}

/** A row of `schema` for an object. */
export const rowOf = (key: string, size = 1, own: { etag?: string; time?: string; bucket?: string } = {}) => [
  own.bucket ?? 'archive',
  encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+'),
  String(size),
  own.time ?? '2026-04-01T00:00:00.000Z',
  own.etag ?? 'e',
  'STANDARD',
]

export const seedInventory = (bucket: Bucket, { files }: MadeInventory): void => {
  for (const [key, bytes] of files) seedObject(bucket, key, bytes)
}
