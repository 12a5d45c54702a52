import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { ArchivedObject, BucketRestorer, RestoreAnswer } from '../../../src/ports/bucket-restorer.ts'
import { openBucket } from '../../s3/bucket.ts'
import { S3Error } from '../../s3/errors.ts'
import type { S3Object } from '../../s3/objects.ts'
import type { S3Settings } from '../../s3/settings.ts'
import { archiveClass, isRestored } from './entry.ts'
import { reasonOf } from './failure.ts'
import { head } from './head.ts'
import { locationOf } from './location.ts'

/** Throws `ContentRootError` for an address that is none. */
export const openRestorer = (address: string, settings: S3Settings = {}): BucketRestorer => {
  const { bucket: name, prefix } = locationOf(address)
  const bucket = openBucket(name, { ...settings, root: address })
  return {
    candidates: async function* (below, signal) {
      try {
        for await (const { objects } of bucket.list({ prefix: prefix + below, signal }))
          yield objects
            .filter(({ storageClass }) => storageClass !== undefined && mayBeArchived.has(storageClass))
            .map(({ key }) => key.slice(prefix.length))
      } catch (error) {
        throw unavailable(error)
      }
    },
    describe: async (path, signal) => {
      try {
        return archivedObject(path, await head({ bucket, prefix }, prefix + path, { signal }))
      } catch (error) {
        if (error instanceof S3Error && error.code === 'NoSuchKey') return undefined
        throw unavailable(error)
      }
    },
    restore: async ({ path, storageClass }, { days, tier, signal }) => {
      // A tier of INTELLIGENT_TIERING is told from a class by its name.
      const period = storageClass.endsWith('_ACCESS') ? {} : { days }
      try {
        return { kind: await bucket.restore(prefix + path, { ...period, tier, signal }) }
      } catch (error) {
        if (!(error instanceof S3Error)) throw error
        return refusalOf(error)
      }
    },
    close: () => bucket.close(),
  }
}

/** Classes in listings. Which tier an object of INTELLIGENT_TIERING is in, only its description tells. */
const mayBeArchived = new Set(['GLACIER', 'DEEP_ARCHIVE', 'INTELLIGENT_TIERING'])

const archivedObject = (path: string, object: S3Object): ArchivedObject | undefined => {
  const storageClass = archiveClass(object)
  if (storageClass === undefined) return undefined
  const isUnderWay = /ongoing-request="true"/.test(object.restore ?? '')
  const state = isRestored(object) ? 'restored' : isUnderWay ? 'under-way' : 'archived'
  return { path, size: object.size, storageClass, state }
}

const unavailable = (error: unknown): unknown =>
  error instanceof S3Error ? new UnavailableError(reasonOf(error), { cause: error }) : error

const refusalOf = (error: S3Error): RestoreAnswer => {
  const { code, status, message } = error
  const own = advices[code] ?? (status === 501 ? notHere : undefined)
  const why = own === undefined ? reasonOf(error) : `${message}; ${own}`
  return { kind: 'refused', why, isForAll: !ofOneObject.has(code) }
}

const notHere = 'this server restores nothing by S3: have its own tool bring the objects back'
const allow = 'allow s3:RestoreObject (`fonds storage policy --restore` prints the rights)'

const advices: Readonly<Record<string, string>> = {
  AccessDenied: allow,
  HTTP403: allow,
  GlacierExpeditedRetrievalNotAvailable: 'ask with --tier Standard, or later',
  InvalidObjectState: 'it is in no archive that can be restored',
  NotImplemented: notHere,
}

/** Refusals that say nothing of other objects. */
const ofOneObject = new Set(['InvalidObjectState', 'NoSuchKey', 'NoSuchVersion'])
