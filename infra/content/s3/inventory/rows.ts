import { type ListedObject, unquote } from '../../../s3/objects.ts'
import { InventoryError } from './error.ts'

/** A row's object; undefined for an earlier version and for a marker of a deletion. Throws `InventoryError`. */
export type ReadRow = (row: readonly string[], at: RowPlace) => ListedObject | undefined

interface RowPlace {
  /** Name of the file. */
  readonly file: string
  /** From 1. */
  readonly record: number
}

/** `bucket`: the one whose objects the rows must be of. */
export const rowReader = (columns: readonly string[], bucket: string): ReadRow => {
  const at = (name: string): number => columns.indexOf(name)
  const [bucketAt, keyAt, sizeAt, timeAt, etagAt, latestAt, markerAt, classAt] = [
    at('Bucket'),
    at('Key'),
    at('Size'),
    at('LastModifiedDate'),
    at('ETag'),
    at('IsLatest'),
    at('IsDeleteMarker'),
    at('StorageClass'),
  ] as const
  return (row, { file, record }) => {
    const refuse = (reason: string): never => {
      throw new InventoryError(
        `${file}: record ${record} ${reason}; fetch the file again, or name the manifest of another day`,
      )
    }
    if (row.length !== columns.length)
      refuse(`has ${row.length} columns, and fileSchema names ${columns.length}`)
    const inBucket = bucketAt < 0 ? bucket : row[bucketAt]
    if (inBucket !== bucket) refuse(`is of the bucket ${JSON.stringify(inBucket)}, and not of ${bucket}`)
    if (isTrue(row[markerAt]) || isFalse(row[latestAt])) return undefined
    const [size, time] = [row[sizeAt] ?? '', Date.parse(row[timeAt] ?? '')]
    if (!/^\d{1,15}$/.test(size)) refuse(`has the Size ${JSON.stringify(size)}, which is no number of bytes`)
    if (Number.isNaN(time))
      refuse(`has the LastModifiedDate ${JSON.stringify(row[timeAt])}, which is no time`)
    const storageClass = row[classAt]
    return {
      key:
        decoded(row[keyAt] ?? '') ??
        refuse(`has the Key ${JSON.stringify(row[keyAt])}, which is not URL-encoded`),
      size: Number(size),
      etag: unquote(row[etagAt] ?? ''),
      modifiedAt: new Date(time).toISOString(),
      ...(storageClass && storageClass !== 'STANDARD' && { storageClass }),
    }
  }
}

const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true'
const isFalse = (value: string | undefined): boolean => value?.toLowerCase() === 'false'

/** AWS encodes keys as forms do: a blank is `+`, a plus sign `%2B`. Undefined for what is no UTF-8 then, or is empty. */
const decoded = (key: string): string | undefined => {
  if (!/[%+]/.test(key)) return key || undefined
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
