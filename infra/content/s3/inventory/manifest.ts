import { createHash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { InventoryError } from './error.ts'

/**
 * The manifest of an S3 Inventory in CSV.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
 */
export interface InventoryManifest {
  /** The bucket whose objects are listed. */
  readonly sourceBucket: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** Names of the columns, in order. */
  readonly columns: readonly string[]
  readonly files: readonly InventoryFile[]
}

export interface InventoryFile {
  /** In the bucket that the inventory was written to. */
  readonly key: string
  /** Lower-case hex. */
  readonly md5: string
}

const shape = t.type({
  sourceBucket: t.string,
  fileFormat: t.string,
  fileSchema: t.string,
  creationTimestamp: t.string,
  files: t.array(t.type({ key: t.string, MD5checksum: t.string })),
})

/** Columns that are optional in the configuration of an inventory, and needed here. */
const needed = ['Key', 'Size', 'LastModifiedDate', 'ETag']

/** `checksum`: content of manifest.checksum, if there is one. Throws `InventoryError`. */
export const readManifest = (name: string, bytes: Uint8Array, checksum?: string): InventoryManifest => {
  const refuse = (reason: string): never => {
    throw new InventoryError(`${name}: ${reason}`)
  }
  if (checksum !== undefined && checksum.trim().toLowerCase() !== md5Of(bytes))
    refuse('manifest.checksum beside it is of other bytes; fetch both again')
  const decoded = shape.decode(parsed(bytes))
  if (isLeft(decoded)) {
    const field = decoded.left[0]?.context
      .slice(1)
      .map(({ key }) => key)
      .join('.')
    return refuse(
      `${field ? `its field ${field} is missing or of another kind` : 'it is no JSON object'}; name the manifest.json of an S3 Inventory`,
    )
  }
  const { sourceBucket, fileFormat, fileSchema, creationTimestamp, files } = decoded.right
  if (fileFormat.toUpperCase() !== 'CSV')
    refuse(
      `the inventory is in ${fileFormat}, and CSV alone is read; choose CSV as its output format, and name the manifest of the next one`,
    )
  const columns = fileSchema.split(',').map((column) => column.trim())
  const lacking = needed.filter((column) => !columns.includes(column))
  if (lacking.length > 0)
    refuse(
      `fileSchema lacks ${lacking.join(', ')}; add ${lacking.length > 1 ? 'them' : 'it'} to the optional fields of the inventory's configuration, and name the manifest of the next one`,
    )
  const millis = /^\d{1,15}$/.test(creationTimestamp) ? Number(creationTimestamp) : refuse(badTime)
  return {
    sourceBucket: sourceBucket.replace(/^arn:[^:]*:s3:::/, ''),
    createdAt: new Date(millis).toISOString(),
    columns,
    files: files.map(({ key, MD5checksum }) => ({ key, md5: MD5checksum.toLowerCase() })),
  }
}

const badTime = 'creationTimestamp is no number of milliseconds; name the manifest.json of an S3 Inventory'

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
