import type { ContentEntry } from '../../../src/ports/content-store.ts'
import type { ListedObject, S3Object } from '../../s3/objects.ts'
import { type ClaimRules, claimsOf } from './claims.ts'

/**
 * ETag, size and second of modification: what listings, HEAD and GET all have. The id of a version is no part of it,
 * for listings lack it. Two writes of the same bytes within one second look the same.
 */
export const versionOf = ({ etag, size, modifiedAt }: ListedObject): string =>
  `${etag}/${size}/${Math.floor(Date.parse(modifiedAt) / 1000)}`

/** The ETag in a version; undefined where this is none of ours. */
export const etagIn = (version: string): string | undefined => /^(.+)\/\d+\/-?\d+$/.exec(version)?.[1]

/** The size in a version, in bytes; undefined where this is none of ours. */
export const sizeIn = (version: string): number | undefined => {
  const size = /\/(\d+)\/-?\d+$/.exec(version)?.[1]
  return size === undefined ? undefined : Number(size)
}

/**
 * An entry of a listing. It has no claims: an ETag is an MD5 only where the bytes are not encrypted with certain keys,
 * which a listing does not tell.
 */
export const listedEntry = (path: string, object: ListedObject): ContentEntry => ({
  ...describe(path, object),
  ...(isArchiveClass(object) && { mayBeArchived: true }),
})

const describe = (path: string, object: ListedObject): ContentEntry => ({
  path,
  size: object.size,
  version: versionOf(object),
  modifiedAt: inSeconds(object.modifiedAt),
  claims: [],
})

export const entryOf = (
  path: string,
  object: S3Object,
  rules: ClaimRules | undefined,
  partSizes?: readonly number[],
): ContentEntry => {
  const archived = archivedIn(object)
  return {
    ...describe(path, object),
    claims: claimsOf(object, partSizes, rules),
    ...(object.versionId && { versionId: object.versionId }),
    ...(archived && { archived }),
  }
}

/** The class of an object whose bytes are given only after a restoration; undefined if it is restored, too. */
const archivedIn = (object: S3Object): string | undefined =>
  isRestored(object) ? undefined : archiveClass(object)

/** The archive class of an object, restored or not; undefined if it has another class. */
export const archiveClass = ({ storageClass, archiveStatus }: S3Object): string | undefined =>
  archiveStatus ?? (isArchiveClass({ storageClass }) ? storageClass : undefined)

const isArchiveClass = ({ storageClass }: { readonly storageClass?: string | undefined }): boolean =>
  storageClass !== undefined && archives.has(storageClass)

export const isRestored = ({ restore = '' }: S3Object): boolean => /ongoing-request="false"/.test(restore)

const archives = new Set(['GLACIER', 'DEEP_ARCHIVE'])

/** As HEAD has it. */
const inSeconds = (time: string): string => `${time.slice(0, 19)}.000Z`
