import type {
  BucketProbe,
  Leftover,
  ProbeOptions,
  ProbeResult,
  ProbeStep,
} from '../../../src/ports/bucket-prober.ts'
import { reasonOf } from '../../content/s3/failure.ts'
import { locationOf } from '../../content/s3/location.ts'
import { openBucket } from '../../s3/bucket.ts'
import { S3Error } from '../../s3/errors.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { type Probed, ProbeFailed, steps } from './probe-steps.ts'
import { deleteObject, deleteVersions, giveUpUploads, objectLeft, versionsLeft } from './probe-traces.ts'

const patient = { attempts: 3, timeoutMillis: 15_000, connections: 2 }

/** Tried once the object is written. */
const further = ['list', 'read', 'if-none-match', 'if-match', 'multipart', 'list-uploads'] as const
const order = ['write', ...further, 'delete', 'delete-versions'] as const satisfies readonly ProbeStep[]

/** Writes a small object and begins an upload in parts, then deletes both. Throws `ContentRootError`. */
export const probeBucket = async (
  address: string,
  { key, text, signal }: ProbeOptions,
  settings: S3Settings = {},
): Promise<BucketProbe> => {
  const { bucket: name, prefix } = locationOf(address)
  const bucket = openBucket(name, { ...settings, ...patient })
  const probed: Probed = { bucket, key: prefix + key, bytes: Buffer.from(text) }
  const results = new Map<ProbeStep, ProbeResult>()
  const attempt = async (step: ProbeStep, work: () => Promise<string | undefined>): Promise<unknown> => {
    try {
      const note = await work()
      results.set(step, { step, works: 'yes', ...(note && { note }) })
      return undefined
    } catch (error) {
      results.set(step, { step, works: 'no', note: noteOf(error) })
      return error
    }
  }
  try {
    const failure = await attempt('write', () => steps.write(probed))
    if (!failure)
      for (const step of further) if (!signal?.aborted) await attempt(step, () => steps[step](probed))
    // From here on a signal ends nothing: what was written is taken away.
    const leftovers: Leftover[] = []
    if (!failure) leftovers.push(...(await giveUpUploads(probed)))
    if (!isRefused(failure)) {
      await attempt('delete', () => deleteObject(probed))
      const mayHaveVersions = failure !== undefined || probed.versionId !== undefined
      if (mayHaveVersions) await attempt('delete-versions', () => deleteVersions(probed))
      leftovers.push(...(await (mayHaveVersions ? versionsLeft(probed) : objectLeft(probed))))
    }
    return { results: order.map((step) => results.get(step) ?? { step, works: 'not-tried' }), leftovers }
  } finally {
    await bucket.close()
  }
}

/** Nothing was written then. After any other failure something may have been. */
const isRefused = (error: unknown): boolean =>
  error instanceof S3Error &&
  !error.wasRepeated &&
  ((error.status >= 400 && error.status < 500) || error.status === 501)

const noteOf = (error: unknown): string => {
  if (error instanceof ProbeFailed) return error.message
  if (!(error instanceof S3Error)) throw error
  return ofChecksums.has(error.code)
    ? `${error.message}; if it is because of the checksum, set FONDS_S3_CHECKSUMS to md5, or to required`
    : reasonOf(error)
}

/** Answers of servers that want other checksums than newer clients send. */
const ofChecksums = new Set([
  'InvalidRequest',
  'MissingUploadObjectWithObjectLockHeaders',
  'NotImplemented',
  'XAmzContentSHA256Mismatch',
])
