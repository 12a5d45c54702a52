import { isAbsolute, join, relative } from 'node:path'
import { itemId, itemOf } from '../domain/fixity/item.ts'
import { items, stores } from '../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../domain/kernel/read-views.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Related } from './workflow.ts'

/** Where an item of a folder lies. */
export const itemPlaces = (id: string, viewStore: ViewStore): readonly string[] => {
  if (!id.includes('/')) return []
  const { store, path } = itemOf(id)
  return rowsIfFolded(viewStore, stores, { where: [is('store', store)], limit: 1 }).flatMap(({ root }) =>
    root === null ? [] : [join(root, path)],
  )
}

/** The items that lie there, a store each. */
export const itemsAt = (place: string, viewStore: ViewStore): readonly Related[] =>
  rowsIfFolded(viewStore, stores).flatMap(({ store, root }) => {
    if (root === null) return []
    const path = relative(root, place)
    if (path === '' || path.startsWith('..') || isAbsolute(path)) return []
    const known = rowsIfFolded(viewStore, items, { where: [is('store', store), is('path', path)], limit: 1 })
    return known.map(() => ({
      id: itemId({ store, path }),
      says: `the file as fixity checks it, in the store ${store}`,
    }))
  })
