import type { Leftover } from '../../../src/ports/bucket-prober.ts'
import { S3Error } from '../../s3/errors.ts'
import type { Upload } from '../../s3/multipart.ts'
import { type Probed, ProbeFailed } from './probe-steps.ts'

/** Gives up the uploads below the key of a probe, also one whose answer was lost. Returns those that could not be. */
export const giveUpUploads = async ({ bucket, key, upload }: Probed): Promise<readonly Leftover[]> => {
  const open: Upload[] = upload ? [upload] : []
  await failureOf(async () => {
    for await (const found of bucket.uploads({ prefix: key }))
      if (found.uploadId !== upload?.uploadId) open.push(found)
  })
  const left: Leftover[] = []
  for (const { key: keyOfParts, uploadId } of open)
    if (await failureOf(() => bucket.abortUpload({ key: keyOfParts, uploadId })))
      left.push({ key: keyOfParts, uploadId })
  return left
}

/** Throws `S3Error`, and `ProbeFailed` where the object is there all the same. */
export const deleteObject = async ({ bucket, key }: Probed): Promise<undefined> => {
  await bucket.delete(key)
  if (await isThere(bucket, key)) throw new ProbeFailed('it was deleted, and is there all the same')
}

/** Deletes versions and delete markers of the object for good. Throws `S3Error` of the first that is refused. */
export const deleteVersions = async (probed: Probed): Promise<undefined> => {
  const { bucket, key } = probed
  let failure: S3Error | undefined
  for (const versionId of await versionsOf(probed)) {
    const refused = await failureOf(() => bucket.delete(key, { versionId }))
    failure ??= refused
  }
  if (failure) throw failure
}

/** The object, where it is there still, or may be. */
export const objectLeft = ({ bucket, key }: Probed): Promise<readonly Leftover[]> =>
  leftOr([{ key }], async () => ((await isThere(bucket, key)) ? [{ key }] : []))

/** Its versions and delete markers that are there still, or may be. */
export const versionsLeft = (probed: Probed): Promise<readonly Leftover[]> => {
  const { key, versionId } = probed
  return leftOr([{ key, ...(versionId !== undefined && { versionId }) }], async () =>
    (await versionsOf(probed)).map((left) => ({ key, versionId: left })),
  )
}

/** `unknown`: where the server does not say what is left. */
const leftOr = async (
  unknown: readonly Leftover[],
  work: () => Promise<readonly Leftover[]>,
): Promise<readonly Leftover[]> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof S3Error) return unknown
    throw error
  }
}

const isThere = async (bucket: Probed['bucket'], key: string): Promise<boolean> => {
  const failure = await failureOf(() => bucket.head(key))
  if (failure && failure.status !== 404) throw failure
  return failure === undefined
}

const versionsOf = async ({ bucket, key }: Probed): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const page of bucket.versions({ prefix: key }))
    found.push(...page.filter((version) => version.key === key).map(({ versionId }) => versionId))
  return found
}

const failureOf = async (work: () => Promise<unknown>): Promise<S3Error | undefined> => {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof S3Error) return error
    throw error
  }
}
