import { fileNameIn } from '@fonds/bag'
import { digestAlgorithm, digestDigits, isAlgorithmName } from '@fonds/digests'
import { hasLogin, loginRefused } from '@fonds/download'
import { isOfFolder } from '../../../domain/ingest/payload.ts'
import type { Submission, SubmittedPayload } from '../../../domain/ingest/submission.ts'
import { isPrefix } from '../../buckets/bucket-file.ts'
import { isLocal } from '../fetch/local-file.ts'
import { quoted } from '../files/file-name.ts'
import { containerKind, isSevenZip, noContainerName } from '../unpack/container.ts'

/** A reason why a submission can never be ingested, known before its payload is read (ingest X1). */
export interface Objection {
  /** Field of the submission: `payload.url`. */
  readonly path: string
  /** The problem and its remedy, as a sentence that continues the field's name. */
  readonly message: string
}

export const objectionTo = ({ payload, callback }: Submission): Objection | undefined =>
  urlObjection('payload.url', payload.url, ['http:', 'https:', 's3:', 'file:']) ??
  (hasLogin(payload.url) ? { path: 'payload.url', message: loginRefused } : undefined) ??
  (callback === undefined ? undefined : urlObjection('callback', callback, ['http:', 'https:'])) ??
  digestObjection(payload) ??
  containerObjection(payload) ??
  nameObjection(payload)

const urlObjection = (path: string, url: string, schemes: readonly string[]): Objection | undefined => {
  const { protocol } = new URL(url)
  return schemes.includes(protocol)
    ? undefined
    : { path, message: `${protocol} is not spoken here; give an address with ${schemes.join(', ')}` }
}

/** A folder, and an object made from one, has no digest. */
const digestObjection = ({ digest, type }: SubmittedPayload): Objection | undefined => {
  if (!digest) return undefined
  const path = 'payload.digest'
  if (isOfFolder(type)) return { path, message: `${type} is of a folder, which has no digest; leave it out` }
  const { length } = digest.value
  const algorithm = digestAlgorithm(digest.algorithm, length)
  if (algorithm === undefined && !isAlgorithmName(digest.algorithm))
    return {
      path: `${path}.algorithm`,
      message: `${digest.algorithm} is not known; there are ${Object.keys(digestDigits).join(', ')}`,
    }
  return algorithm !== undefined && length === digestDigits[algorithm] && /^[0-9a-f]+$/i.test(digest.value)
    ? undefined
    : {
        path: `${path}.value`,
        message:
          algorithm === undefined
            ? `${digest.value} is no ${digest.algorithm} digest of any length that is known`
            : `${digest.value} is no ${algorithm} digest, which has ${digestDigits[algorithm]} hex digits`,
      }
}

/** A `file:` address may be that of a folder: the job finds out. A prefix in a bucket is one. */
const nameObjection = ({ name, url, type }: SubmittedPayload): Objection | undefined => {
  const isPacked = type === 'container' || (type === 'bag' && !isLocal(url) && !isPrefix(url))
  const known = name ?? fileNameIn(url) ?? ''
  return isPacked && containerKind(known) === undefined
    ? { path: 'payload.name', message: `${quoted(known)} ${noContainerName}` }
    : undefined
}

const containerObjection = ({ name, url, type }: SubmittedPayload): Objection | undefined =>
  (type === undefined || type === 'container') && isSevenZip(name ?? fileNameIn(url) ?? '')
    ? {
        path: 'payload.type',
        message:
          '7z is not unpacked here; send a zip or a tar, or say that it is a file, to keep it as it is',
      }
    : undefined
