import { sideBySide } from '../../async/side-by-side.ts'
import { items, stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { is, narrowRows, row } from '../../domain/kernel/read-views.ts'
import type { ArchivedObject, BucketRestorer } from '../../ports/bucket-restorer.ts'
import type { WorkflowContext } from '../workflow-context.ts'

/** All of a store, what is below a prefix, or one item. */
export interface RestoreScope {
  readonly prefix?: string
  readonly item?: string
}

/** A restoration cannot be asked for. `message` is for a person. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Watches a search, and bounds it. */
export interface RestoreWatch {
  readonly signal: AbortSignal
  /** Called with the number of objects that were described so far. */
  readonly onDescribed?: (objects: number) => void
  /** Called with the numbers of objects that were asked for so far, and in all. */
  readonly onAsked?: (asked: number, total: number) => void
  /** Most objects that are described; more are refused. */
  readonly most?: number
}

/** Requests that are under way at once. */
export const width = 16

/** Address of the bucket. Throws `RestoreRefused` if the store has none. */
export const bucketOfStore = (
  { viewStore }: Pick<WorkflowContext, 'viewStore'>,
  store: string,
  what = 'is archived',
): string => {
  const root = row(viewStore, stores, is('store', store))?.root
  if (root === undefined)
    throw new RestoreRefused(
      'no-such-store',
      `there is no store ${store}; see \`fonds query fixity-stores\` for those there are`,
    )
  if (root === null || !isBucketAddress(root))
    throw new RestoreRefused('no-bucket', `store ${store} is no bucket: nothing of it ${what}`)
  return root
}

/**
 * Describes the recorded items in scope that are in an archive, restored ones among them: a listing, and a HEAD for each
 * object that may be one. Throws `UnavailableError`, and `RestoreRefused` for an item that is not recorded.
 */
export const archivedItems = async (
  { viewStore }: Pick<WorkflowContext, 'viewStore'>,
  store: string,
  restorer: BucketRestorer,
  { prefix = '', item }: RestoreScope,
  { signal, onDescribed, most = Number.POSITIVE_INFINITY }: RestoreWatch,
): Promise<readonly ArchivedObject[]> => {
  const found: ArchivedObject[] = []
  let described = 0
  const recordedIn = (paths: readonly string[]): readonly string[] =>
    narrowRows(viewStore, items, ['path'], {
      where: [is('store', store), is('removed', 0), { column: 'path', is: 'in', value: paths }],
    }).map(({ path }) => path)
  const describe = async (path: string) => {
    signal.throwIfAborted()
    const object = await restorer.describe(path, signal)
    if (object) found.push(object)
    onDescribed?.(++described)
  }
  if (item !== undefined) {
    if (recordedIn([item]).length === 0)
      throw new RestoreRefused(
        'not-recorded',
        `${item} is not recorded in store ${store}; paths are those of the store, without its root`,
      )
    await describe(item)
    return found
  }
  for await (const page of restorer.candidates(prefix, signal)) {
    const recorded = recordedIn(page)
    if (described + recorded.length > most)
      throw new RestoreRefused(
        'too-many',
        `more than ${most} objects may be archived; give a prefix, or run \`fonds fixity restore ${store}\` on a machine that reaches the bucket`,
      )
    await sideBySide(recorded, width, describe)
  }
  return found
}
