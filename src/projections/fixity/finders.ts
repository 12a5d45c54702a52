import { isAbsolute, relative } from 'node:path'
import { itemId } from '../../domain/fixity/item.ts'
import { items, stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { is, narrowRows, rows } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import { beginning, findRows, type Way } from '../runtime/find-rows.ts'
import { commandLine, type Finder, type Hit, noHits, pageAt, type Search } from '../runtime/finder.ts'
import { fixity } from './projection.ts'

/** Stores whose paths are compared; in the order of their names. */
const maxStores = 100

/** A place in a store: a path, or the beginning of one. */
interface Place {
  readonly store: string
  readonly path: string
}

/** Places that a text may name: `store/path`, an absolute path or an address in a bucket, a path in any store. */
const placesOf = (views: Views, text: string): readonly Place[] => {
  const slash = text.indexOf('/')
  const named = slash > 0 ? [{ store: text.slice(0, slash), path: text.slice(slash + 1) }] : []
  if (!isAddress(text)) return [...named, ...storesOf(views).map((store) => ({ store, path: text }))]
  return pathsBelowRoots(views, text).filter(({ path }) => path !== '')
}

const isAddress = (text: string): boolean => isAbsolute(text) || isBucketAddress(text)

/** The stores that an address lies in, with its path there: empty for the root itself. */
const pathsBelowRoots = (views: Views, address: string): readonly Place[] =>
  rows(views, stores, { orderBy: [{ column: 'store' }], limit: maxStores }).flatMap(({ store, root }) => {
    const path = root === null ? undefined : pathBelow(root, address)
    return path === undefined ? [] : [{ store, path }]
  })

const pathBelow = (root: string, address: string): string | undefined => {
  if (isBucketAddress(root) !== isBucketAddress(address)) return undefined
  if (isBucketAddress(root)) {
    const folder = `${root.replace(/\/+$/, '')}/`
    return `${address}/`.startsWith(folder) ? address.slice(folder.length) : undefined
  }
  const path = relative(root, address)
  return path === '..' || path.startsWith('../') ? undefined : path
}

/** The stores of items, one seek of the index for each: items may come before their store is registered. */
const storesOf = (views: Views): readonly string[] => {
  const found: string[] = []
  while (found.length < maxStores) {
    const where = [{ column: 'store', is: '>', value: found.at(-1) ?? '' } as const]
    const [next] = narrowRows(views, items, ['store'], { where, orderBy: [{ column: 'store' }], limit: 1 })
    if (!next) break
    found.push(next.store)
  }
  return found
}

const storesFinder: Finder = {
  kind: 'fixity-stores',
  title: 'Stores',
  projection: fixity,
  find: ({ views }, { text, limit }) => {
    const places = isAddress(text) ? pathsBelowRoots(views, text) : []
    const rooted = places.flatMap(({ store, path }) => (path === '' ? [store] : []))
    return findRows(stores, {
      views,
      limit,
      ways: [beginning('store', text), ...rooted.map((store) => ({ where: [is('store', store)] }))],
      hitOf: ({ store, root }) => ({
        id: store,
        note: root ?? 'checked by others',
        command: commandLine('fixity stores', store),
        page: pageAt`/fixity/folders?store=${store}`,
        isExact: store === text || rooted.includes(store),
      }),
    })
  },
}

const itemsFinder: Finder = {
  kind: 'fixity-items',
  title: 'Items',
  projection: fixity,
  find: ({ views }, { text, limit }) => {
    const places = placesOf(views, text)
    const ways: readonly Way<typeof items>[] = [
      ...places.map(({ store, path }) => ({ where: [is('store', store), is('path', path)] })),
      ...places.map(({ store, path }) => ({
        where: [is('store', store), { column: 'path', is: 'prefix', value: path } as const],
      })),
      { name: text, onlyNow: 'names of files' },
    ]
    return findRows(items, {
      views,
      limit,
      ways,
      hitOf: ({ store, path, state }) => ({
        id: itemId({ store, path }),
        note: state,
        command: commandLine('fixity item', store, path),
        page: pageAt`/fixity/item?store=${store}&path=${path}`,
        isExact:
          places.some((place) => place.store === store && place.path === path) ||
          path.slice(path.lastIndexOf('/') + 1) === text,
      }),
    })
  },
}

const foldersFinder: Finder = {
  kind: 'fixity-folders',
  title: 'Folders',
  projection: fixity,
  find: ({ views }, { text, limit }) => {
    if ('scanned' in views)
      return { ...noHits, notCompared: ['folders are not compared as of an earlier moment'] }
    const hits: Hit[] = []
    for (const place of placesOf(views, text.replace(/\/$/, '')))
      for (const folder of foldersOf(views, place, { limit: limit + 1 - hits.length }))
        hits.push({
          id: `${itemId({ store: place.store, path: folder })}/`,
          command: commandLine('fixity folders', place.store, folder),
          page: pageAt`/fixity/folders?store=${place.store}&prefix=${folder}`,
          isExact: folder === place.path,
        })
    return { hits: hits.slice(0, limit), total: Math.min(hits.length, limit), isAll: hits.length <= limit }
  },
}

/** Folders of items, one seek of the index for each: a folder may have a million. */
function* foldersOf(views: Views, { store, path }: Place, { limit }: Pick<Search, 'limit'>) {
  if (path === '') return
  let after = ''
  for (let found = 0; found < limit; found++) {
    const [next] = narrowRows(views, items, ['folder'], {
      where: [
        is('store', store),
        { column: 'folder', is: 'prefix', value: path },
        { column: 'folder', is: '>', value: after },
      ],
      orderBy: [{ column: 'folder' }, { column: 'state' }],
      limit: 1,
    })
    if (!next) return
    yield next.folder
    after = next.folder
  }
}

export const fixityFinders: readonly Finder[] = [storesFinder, itemsFinder, foldersFinder]
