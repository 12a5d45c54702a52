import { inventoryFile } from '../read-inventory.ts'
import type { Bucket, OpenUpload } from './bucket.ts'
import type { Journal } from './journals.ts'

/** Findings of a sweep of a root. */
export interface Swept {
  /** Writes of ended processes that were finished or removed. */
  readonly writes: number
  /** Multipart uploads that no write holds, and that were aborted. */
  readonly uploads: number
  /** Places below the root that hold keys of no object: folders, or keys. At most 1,000; they stay. */
  readonly strays: readonly string[]
}

interface Tools {
  readonly bucket: Bucket
  /** The root; ends with a slash. */
  readonly prefix: string
  /** Prefix of the copies that were set aside; ends with a slash. */
  readonly aside: string
  /** Folders from the root down to an object. */
  readonly depth: number
  readonly journals: () => Promise<readonly Journal[]>
  /** Prefixes of staged bytes, from the root. */
  readonly staged: () => Promise<readonly string[]>
}

const maxStrays = 1000

/**
 * Aborts uploads whose answer a client never got, so that nobody completes them. Each upload of a write comes behind its
 * journal: one that was listed before the journals were, and is below none, is nobody's.
 */
export const abortUnheld = async ({ bucket, prefix, aside, journals, staged }: Tools): Promise<number> => {
  const open: OpenUpload[] = [...(await bucket.uploads(prefix)), ...(await bucket.uploads(aside))]
  const own = open.filter(({ key }) => !key.startsWith(`${prefix}extensions/`))
  if (own.length === 0) return 0
  const held = [
    ...(await journals()).map((journal) =>
      journal.kind === 'cut' ? journal.copy : `${prefix}${journal.folders.join('/')}/`,
    ),
    ...(await staged()).map((folder) => prefix + folder),
  ]
  const unheld = own.filter(({ key }) => !held.some((below) => key.startsWith(below)))
  for (const upload of unheld) await bucket.abortUpload(upload)
  return unheld.length
}

/** Places whose keys belong to no object, nor to a write that is under way. */
export const findStrays = async ({
  bucket,
  prefix,
  depth,
  journals,
  staged,
}: Tools): Promise<readonly string[]> => {
  const suspects: string[] = []
  let last: { readonly place: string; isObject: boolean } | undefined
  const leave = (): void => {
    if (last && !last.isObject && suspects.length < maxStrays) suspects.push(last.place)
  }
  for await (const page of bucket.list(prefix))
    for (const { key } of page) {
      const segments = key.slice(prefix.length).split('/')
      if (segments.length === 1 || segments[0] === 'extensions') continue
      const place = segments.slice(0, depth).join('/')
      if (place !== last?.place) {
        leave()
        last = { place, isObject: false }
      }
      last.isObject ||= segments.length === depth + 1 && segments[depth] === inventoryFile
    }
  leave()
  if (suspects.length === 0) return []
  const underWay = [
    ...(await journals()).map(({ folders }) => folders.join('/')),
    ...(await staged()).map((one) => one.split('/').slice(0, depth).join('/')),
  ]
  const strays: string[] = []
  for (const place of suspects) {
    // A version may have become visible since.
    const isThere = await bucket.head(`${prefix}${place}/${inventoryFile}`)
    if (!isThere && !underWay.includes(place)) strays.push(place)
  }
  return strays
}
