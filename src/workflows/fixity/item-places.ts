import { isAbsolute, join, relative } from 'node:path'
import { itemId, itemOf } from '../../domain/fixity/item.ts'
import { items, stores } from '../../domain/fixity/views.ts'
import { type ConditionOn, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Related } from '../workflow-model.ts'

/** Returns the path of an item of a folder store. */
export const itemPlaces = (id: string, viewStore: ViewStore): readonly string[] => {
  if (!id.includes('/')) return []
  const { store, path } = itemOf(id)
  return rowsIfFolded(viewStore, stores, { where: [is('store', store)], limit: 1 }).flatMap(({ root }) =>
    root === null ? [] : [join(root, path)],
  )
}

/** Most files that are named: an object may have a million. */
const maxFiles = 50

/** Returns the items at the path, one for each store, or below it. */
export const itemsAt = (place: string, viewStore: ViewStore): readonly Related[] =>
  rowsIfFolded(viewStore, stores).flatMap(({ store, root }) => {
    if (root === null) return []
    const path = relative(root, place)
    if (path === '' || path.startsWith('..') || isAbsolute(path)) return []
    const named = (where: ConditionOn<typeof items>, relation: string) =>
      rowsIfFolded(viewStore, items, { where: [is('store', store), where], limit: maxFiles }).map((item) => ({
        id: itemId({ store, path: item.path }),
        says: `${relation}, in the store ${store}`,
      }))
    return [
      ...named(is('path', path), 'the file as fixity checks it'),
      ...named({ column: 'path', is: 'prefix', value: `${path}/` }, 'a file of it, as fixity checks it'),
    ]
  })
