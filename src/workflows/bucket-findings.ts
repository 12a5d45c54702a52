import { duration } from '../domain/kernel/amounts.ts'
import { MINUTE } from '../domain/kernel/time.ts'
import { visible } from '../domain/kernel/visible.ts'
import type { BucketInspection, BucketStep } from '../ports/bucket-inspector.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Servers of S3 refuse requests that are 15 minutes off, some those that are 5. */
const maxSkewMillis = 4 * MINUTE

/**
 * Returns the lines of doctor about a bucket. `subject`: the store, or what else is kept there. `isWritten`: by Fonds, which sends
 * checksums.
 */
export const bucketFindings = (
  subject: string,
  address: string,
  inspection: BucketInspection,
  { isWritten = false }: { readonly isWritten?: boolean } = {},
): readonly Finding[] => [
  whatItLets(subject, address, inspection),
  ...clockFinding(address, inspection),
  ...(isWritten ? checksumFinding(address, inspection) : []),
]

const whatItLets = (
  subject: string,
  address: string,
  { done, failed, object }: BucketInspection,
): Finding => {
  const good = done.map((step) => successes[step])
  const sofar = good.length === 0 ? '' : `; it ${good.join(', ')}`
  if (failed !== undefined)
    return fail(
      'bucket',
      `${subject}: ${address} ${failures[failed.step]}: ${failed.reason}${sofar}`,
      advices[failed.step](address),
    )
  return ok('bucket', `${subject}: ${address} ${good.join(', ')}${described(object)}`)
}

const successes: Readonly<Record<BucketStep, string>> = {
  reach: 'answers',
  list: 'may be listed',
  describe: 'objects are described',
  read: 'and read',
}

const failures: Readonly<Record<BucketStep, string>> = {
  reach: 'cannot be reached',
  list: 'cannot be listed',
  describe: 'does not describe its objects',
  read: 'does not give the bytes of its objects',
}

const policy = (address: string) => `\`fonds storage policy ${address}\` prints the rights that Fonds needs`

const advices: Readonly<Record<BucketStep, (address: string) => string>> = {
  reach: () => 'look at FONDS_S3_ENDPOINT, FONDS_S3_REGION and the keys; docs/guides/storage.md has them all',
  list: policy,
  describe: policy,
  read: policy,
}

const described = (object: BucketInspection['object']): string => {
  if (object === undefined) return '; it has no object there yet'
  const { checksums, isArchived } = object
  const reported =
    checksums.length === 0
      ? 'its server reports no checksum beside the ETag'
      : `its server reports checksums (${checksums.join(', ')})`
  return isArchived ? `; the first is archived, and was not read; ${reported}` : `; ${reported}`
}

const clockFinding = (address: string, { skewMillis }: BucketInspection): readonly Finding[] => {
  if (skewMillis === undefined || Math.abs(skewMillis) < maxSkewMillis) return []
  const direction = skewMillis > 0 ? 'ahead of' : 'behind'
  return [
    warn(
      'bucket clock',
      `the server of ${address} is ${duration(Math.abs(skewMillis))} ${direction} this machine; each bucket costs a request that is refused first`,
      "set this machine's clock right, or the server's (timedatectl)",
    ),
  ]
}

/** An older server may refuse checksums that newer clients send. Only writing would show it, and doctor does not write. */
const checksumFinding = (address: string, { object }: BucketInspection): readonly Finding[] =>
  object === undefined || object.checksums.length > 0
    ? []
    : [
        warn(
          'bucket checksums',
          `the server of ${address} keeps no checksum of ${visible(object.key)}: it may be an older one`,
          'if it refuses what is written, set FONDS_S3_CHECKSUMS to md5, or to required',
        ),
      ]
