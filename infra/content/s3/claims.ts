import {
  type Algorithm,
  baseAlgorithm,
  digestFromBase64,
  normaliseDigest,
  partsAlgorithm,
} from '@fonds/digests'
import type { ContentEntry } from '../../../src/ports/content-store.ts'

type Claims = ContentEntry['claims']
type Claim = Claims[number]

/** An object's description in an answer to HEAD or GET. */
export interface DescribedObject {
  /** Bytes. */
  readonly size: number
  /** Without quotation marks. */
  readonly etag: string
  /** Base64, by the names in `x-amz-checksum-…`. */
  readonly checksums: Readonly<Record<string, string | undefined>>
  readonly checksumType?: 'FULL_OBJECT' | 'COMPOSITE'
  /** `x-amz-meta-*`, names in lower case. */
  readonly metadata: Readonly<Record<string, string>>
  /** Server-side encryption: `AES256`, `aws:kms`, `customer` …; absent for none. */
  readonly encryption?: string
}

/** A digest that clients keep in an object's metadata. */
export interface MetadataDigest {
  /** Behind `x-amz-meta-`, in lower case: `md5chksum` of rclone, `content-checksum` of DuraCloud. */
  readonly name: string
  readonly algorithm: Algorithm
}

export interface ClaimRules {
  /** `opaque`: this server's ETags are no MD5. Default: `md5`. */
  readonly etags?: 'md5' | 'opaque' | undefined
  readonly metadataDigests?: readonly MetadataDigest[] | undefined
}

/**
 * The checksums that a bucket reports of an object. `partSizes`: bytes of each part it was uploaded in, where they are
 * known. A value that cannot be compared has the name of no algorithm: `sha-256/parts` (a digest of the digests of parts
 * whose sizes are not known), `sha-256/invalid` (no base64, or of another length), `md5/metadata` (contradicted by the
 * storage's own).
 */
export const claimsOf = (
  object: DescribedObject,
  partSizes?: readonly number[],
  { etags = 'md5', metadataDigests = [] }: ClaimRules = {},
): Claims => {
  const sizes = partSizes && sum(partSizes) === object.size ? partSizes : undefined
  const own = [
    ...Object.entries(checksumAlgorithms).flatMap(([name, algorithm]) => {
      const value = object.checksums[name]
      return value === undefined ? [] : [checksumClaim(object, algorithm, value, sizes)]
    }),
    ...(etags === 'md5' ? etagClaims(object, sizes) : []),
  ]
  return [...own, ...metadataDigests.flatMap((digest) => metadataClaim(object, digest, own))]
}

/** True if only the sizes of its parts make what the storage reports comparable. */
export const needsPartSizes = (object: DescribedObject, rules?: ClaimRules): boolean => {
  const claims = claimsOf(object, undefined, rules)
  return claims.some(({ algorithm }) => algorithm.endsWith('/parts')) && !claims.some(isComparable)
}

/** Number of parts that the object was uploaded in; undefined if it was put in one piece, or nothing names it. */
export const partsCount = ({ etag, checksums }: DescribedObject): number | undefined => {
  const counts = [etag, ...Object.values(checksums)].map((value) => /-(\d{1,5})$/.exec(value ?? '')?.[1])
  const count = counts.find((each) => each !== undefined)
  return count === undefined ? undefined : Number(count)
}

const isComparable = ({ algorithm }: Claim): boolean => baseAlgorithm(algorithm) !== undefined

const checksumAlgorithms = {
  sha256: 'sha-256',
  sha1: 'sha-1',
  crc32: 'crc32',
  crc32c: 'crc32c',
  crc64nvme: 'crc64nvme',
} as const satisfies Readonly<Record<string, Algorithm>>

const checksumClaim = (
  object: DescribedObject,
  algorithm: Algorithm,
  text: string,
  sizes: readonly number[] | undefined,
): Claim => {
  const [, base64 = text, count] = /^(.*=*)-(\d{1,5})$/.exec(text) ?? []
  const value = digestFromBase64(algorithm, base64)
  if (value === undefined) return { algorithm: `${algorithm}/invalid`, value: text }
  if (count === undefined && isWhole(object)) return { algorithm, value }
  return partsClaim(algorithm, value, text, matching(sizes, count ?? partsCount(object)))
}

/**
 * True if a checksum without `-N` is that of all bytes. Some servers omit the type, and the `-N`, of an object in parts:
 * then nothing shows it.
 */
const isWhole = ({ checksumType, etag }: DescribedObject): boolean =>
  checksumType === undefined ? !isOfParts(etag) : checksumType === 'FULL_OBJECT'

/**
 * An ETag is the MD5 of the bytes, or of the MD5s of the parts; but not where the server encrypts with a key of a key
 * service, or of the client.
 */
const etagClaims = ({ etag, encryption }: DescribedObject, sizes: readonly number[] | undefined): Claims => {
  if (encryption !== undefined && encryption !== 'AES256') return []
  const [, value, count] = /^([0-9a-f]{32})(?:-(\d{1,5}))?$/.exec(etag.toLowerCase()) ?? []
  if (value === undefined) return []
  if (count === undefined) return [{ algorithm: 'md5', value }]
  return [partsClaim('md5', value, etag, matching(sizes, count))]
}

const isOfParts = (etag: string): boolean => /-\d+$/.test(etag)

const matching = (
  sizes: readonly number[] | undefined,
  count: string | number | undefined,
): readonly number[] | undefined =>
  count === undefined || Number(count) === sizes?.length ? sizes : undefined

const partsClaim = (
  algorithm: Algorithm,
  value: string,
  text: string,
  sizes: readonly number[] | undefined,
): Claim => {
  const named = sizes && partsAlgorithm(algorithm, sizes)
  return named === undefined ? { algorithm: `${algorithm}/parts`, value: text } : { algorithm: named, value }
}

const metadataClaim = (
  { metadata }: DescribedObject,
  { name, algorithm }: MetadataDigest,
  own: Claims,
): Claims => {
  const text = Object.hasOwn(metadata, name) ? metadata[name] : undefined
  if (text === undefined) return []
  const value = normaliseDigest({ algorithm, value: text })?.value
  if (value === undefined) return [{ algorithm: `${algorithm}/invalid`, value: text }]
  const other = own.find((claim) => claim.algorithm === algorithm)
  if (other === undefined) return [{ algorithm, value }]
  return other.value === value ? [] : [{ algorithm: `${algorithm}/metadata`, value }]
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
