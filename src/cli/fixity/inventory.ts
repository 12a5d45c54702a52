import * as E from 'fp-ts/lib/Either.js'
import type { System } from '../../app/system.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import { storeRoot } from '../../domain/fixity/store/root.ts'
import { stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import type { BucketInventory } from '../../ports/bucket-inventory.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { ListedBy } from '../../workflows/fixity/recording/add-counts.ts'
import { maxMoved } from '../../workflows/fixity/recording/moves.ts'
import { RejectedError } from '../ask-command.ts'
import type { Session } from '../context.ts'
import { count } from '../output/text.ts'

export const listedBy = ({ createdAt, objects }: BucketInventory): ListedBy => ({ createdAt, objects })

/** Does work with the inventory of a bucket, or without one, and closes it. Throws `RejectedError` if it cannot be used. */
export const withInventory = async <A>(
  session: Session,
  system: System,
  { root, manifest }: { readonly root: string; readonly manifest: string | undefined },
  work: (inventory: BucketInventory | undefined) => Promise<A>,
): Promise<A> => {
  if (manifest === undefined) return work(undefined)
  if (!isBucketAddress(root))
    throw new RejectedError('--inventory lists what a bucket holds, and this is a folder: leave it out')
  const progress = session.progress('Reading the inventory')
  const opened = await system.adapters.fixity.openInventory(
    { root: storeRoot(root), manifest },
    { signal: session.signal, onProgress: ({ rows }) => progress.advance(rows) },
  )()
  progress.done()
  if (E.isLeft(opened)) throw new RejectedError(opened.left)
  try {
    return await work(opened.right)
  } finally {
    await opened.right.close()
  }
}

/** The root of the one store that a check with an inventory is of. Throws `RejectedError`. */
export const rootOfStore = ({ viewStore }: Pick<System, 'viewStore'>, store: string | undefined): string => {
  const root = store === undefined ? undefined : row(viewStore, stores, is('store', store))?.root
  if (root) return root
  throw new RejectedError('--inventory is of one bucket: name the store that is in it')
}

const width = 32

/**
 * The paths of an inventory that are still there; all of them where too many are to be asked for. One that cannot be
 * asked for counts as there.
 */
export const stillThere = async (
  content: ContentStore,
  paths: readonly string[],
): Promise<readonly string[]> => {
  if (paths.length > maxMoved) return paths
  const missing = await sideBySide(paths, width, async (path) => {
    const found = await content.stat(path)()
    return E.isLeft(found) && found.left.kind === 'NotFound' ? [path] : []
  })
  const isMissing = new Set(missing.flat())
  return paths.filter((path) => !isMissing.has(path))
}

/** For people: how old the listing is. */
export const listedBySentence = ({ createdAt, objects }: ListedBy): string =>
  `listed by the inventory of ${createdAt} (${count(objects)} objects): later ones are not in it`
