import { StorageRootError } from '../errors.ts'
import {
  configOf,
  extensionIn,
  layoutFile,
  layoutIn,
  rootDeclaration,
  rootFiles,
} from '../root/declaration.ts'
import { defaultLayout, type LayoutConfig } from '../root/layout.ts'
import { type Bucket, bytesOf, putIfMissing, readText } from './bucket.ts'
import { foreignEtag, refusesWrite } from './conditions.ts'

/* The declaration and the layout of a storage root below a prefix, which ends with a slash. */

/** The layout of the root. A prefix without keys becomes a root. Throws `StorageRootError`. */
export const ensureBucketRoot = async (
  bucket: Bucket,
  prefix: string,
  layout: LayoutConfig = defaultLayout,
): Promise<LayoutConfig> => {
  if (!(await bucket.head(prefix + rootDeclaration))) {
    await failIfTaken(bucket, prefix)
    // Other processes may make it at the same time: the declaration comes last, and each file stays as it is first.
    for (const [path, text] of rootFiles(layout)) await putIfMissing(bucket, prefix + path, text)
  }
  return readBucketLayout(bucket, prefix)
}

/** Throws `StorageRootError`. */
export const readBucketLayout = async (bucket: Bucket, prefix: string): Promise<LayoutConfig> => {
  const text = async (path: string) => (await readText(bucket, prefix + path))?.text
  const extension = extensionIn(await text(layoutFile), prefix)
  return layoutIn(await text(configOf(extension)), extension, prefix)
}

/** Keys that a process leaves which was killed while it made the root. */
const ofBeginning = /^(extensions\/|ocfl_layout\.json$|0=ocfl_1\.1$)/

const failIfTaken = async (bucket: Bucket, prefix: string): Promise<void> => {
  for await (const page of bucket.list(prefix)) {
    const strange = page.map(({ key }) => key.slice(prefix.length)).find((name) => !ofBeginning.test(name))
    if (strange?.startsWith('0=') && !strange.includes('/'))
      throw new StorageRootError(`${prefix} says ${strange}: only roots of OCFL 1.1 are written`)
    if (strange !== undefined)
      throw new StorageRootError(
        `the bucket has ${prefix}${strange}, and nothing says that ${prefix} is an OCFL storage root; name a prefix without keys, such as ${prefix}storage`,
      )
    return
  }
}

/**
 * The condition of writes that the server does not keep; undefined if it keeps both. Puts the declaration, with the bytes
 * that it has, under two conditions that do not hold: a server without them writes the same bytes once more. Throws
 * `StorageRootError`.
 */
export const unkeptCondition = async (bucket: Bucket, prefix: string): Promise<string | undefined> => {
  const key = prefix + rootDeclaration
  const found = await readText(bucket, key)
  if (!found) throw new StorageRootError(`${key} is not there`)
  for (const conditions of [{ ifNoneMatch: '*' }, { ifMatch: foreignEtag }] as const)
    if (!(await refusesWrite(bucket, key, bytesOf(found.text), conditions))) return Object.keys(conditions)[0]
  return undefined
}
