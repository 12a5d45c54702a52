import type { System } from '../../app/system.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import { stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import type { ArchivedObject, BucketRestorer } from '../../ports/bucket-restorer.ts'
import { RejectedError } from '../ask-command.ts'
import { rowsOf } from './moves.ts'

/** All of a store, what is below a prefix, or one item. */
export interface RestoreScope {
  readonly prefix?: string
  readonly item?: string
}

/** Requests that are under way at once. */
export const width = 16

/** Address of the bucket. Throws `RejectedError` if the store has none. */
export const bucketOfStore = (
  { viewStore }: Pick<System, 'viewStore'>,
  store: string,
  what = 'is archived',
): string => {
  const root = row(viewStore, stores, is('store', store))?.root
  if (root === undefined)
    throw new RejectedError(
      `there is no store ${store}; see \`fonds query fixity-stores\` for those there are`,
    )
  if (root === null || !isBucketAddress(root))
    throw new RejectedError(`store ${store} is no bucket: nothing of it ${what}`)
  return root
}

/**
 * Describes the recorded items in scope that are in an archive, restored ones among them: a listing, and a HEAD for each
 * object that may be one. Throws `UnavailableError`, and `RejectedError` for an item that is not recorded.
 */
export const archivedItems = async (
  { viewStore }: System,
  store: string,
  restorer: BucketRestorer,
  { prefix = '', item }: RestoreScope,
  signal: AbortSignal,
): Promise<readonly ArchivedObject[]> => {
  const found: ArchivedObject[] = []
  const recordedIn = (paths: readonly string[]): readonly string[] =>
    rowsOf(viewStore, store, paths)
      .filter(({ removed }) => removed === 0)
      .map(({ path }) => path)
  const describe = async (path: string) => {
    signal.throwIfAborted()
    const object = await restorer.describe(path, signal)
    if (object) found.push(object)
  }
  if (item !== undefined) {
    if (recordedIn([item]).length === 0)
      throw new RejectedError(
        `${item} is not recorded in store ${store}; paths are those of the store, without its root`,
      )
    await describe(item)
    return found
  }
  for await (const page of restorer.candidates(prefix, signal))
    await sideBySide(recordedIn(page), width, describe)
  return found
}
