import type { ContentStore } from '../../../../src/ports/content-store.ts'
import type { BucketRoot } from '../root.ts'
import { storeAt } from '../store.ts'
import type { SortedObjects } from './sorted-objects.ts'

/**
 * Content that an inventory lists, and the bucket itself has. A folder that the inventory lacks may be there: it is
 * listed as empty, and not as missing.
 */
export const listedContent = (
  root: BucketRoot,
  { list }: Pick<SortedObjects, 'list'>,
): Omit<ContentStore, 'readsAtOnce'> => {
  const store = storeAt({ ...root, bucket: { ...root.bucket, list } })
  const has = async (folder = ''): Promise<boolean> => {
    const path = folder.replace(/\/$/, '')
    if (path === '') return true
    const pages = list({ prefix: `${root.prefix}${path}/` })
    const first = await pages.next()
    await pages.return(undefined)
    return !first.done && first.value.objects.length > 0
  }
  async function* ifThere<A>(folder: string | undefined, listed: (folder?: string) => AsyncIterable<A>) {
    if (await has(folder)) yield* listed(folder)
  }
  return {
    ...store,
    list: (folder) => ifThere(folder, store.list),
    names: (folder) => ifThere(folder, store.names),
    folder: (folder) => ifThere(folder, store.folder),
  }
}
