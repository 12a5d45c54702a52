import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { algorithmName } from '@fonds/digests'
import { type Fixity, type Identifier, type PremisObject, termOrOwn } from '@fonds/premis'
import { isLeft } from 'fp-ts/lib/Either.js'
import { category as bagCategory } from '../../domain/fixity/bags/events.ts'
import { category as batchCategory, batchEvents } from '../../domain/fixity/batch/events.ts'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import { category as comparisonCategory } from '../../domain/fixity/comparison/events.ts'
import { category, itemId, itemOf } from '../../domain/fixity/item.ts'
import { premisMapping } from '../../domain/fixity/premis.ts'
import { category as storeCategory } from '../../domain/fixity/store/events.ts'
import { bags, items, stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { PremisWorkflow } from '../premis-model.ts'

/* Stores, items and bags as objects of PREMIS. A store is a whole: the events of all of its items are found by reading the log. */

export const fixityPremis: PremisWorkflow = {
  kind: 'exported',
  mapping: premisMapping,
  thingsOf: (event) => (categoryOf(event.stream) === batchCategory ? itemsOf(event) : undefined),
  objects: function* (id, viewStore) {
    if (!id.includes('/')) {
      if (isStore(id, viewStore)) yield storeObject(id)
      return
    }
    const { store, path } = itemOf(id)
    const found = [
      ...rowsIfFolded(viewStore, items, { where: [is('store', store), is('path', path)] }).map(
        itemObject(rootOf(store, viewStore)),
      ),
      ...rowsIfFolded(viewStore, bags, { where: [is('store', store), is('bag', path)] }).map(bagObject),
    ]
    // They name it as the whole that they are a part of.
    if (found.length > 0) yield storeObject(store)
    yield* found
  },
  whole: (id, viewStore) =>
    id.includes('/') || !isStore(id, viewStore)
      ? undefined
      : {
          kind: 'log',
          parts: partsOf(id, viewStore),
          categories: [category, batchCategory, bagCategory, storeCategory, comparisonCategory],
          includes: (event) => isOfStore(event, id),
        },
}

/** A store that others only report of has items, and was never registered. */
const isStore = (id: string, viewStore: ViewStore): boolean =>
  [stores, items].some(
    (view) => rowsIfFolded(viewStore, view, { where: [is('store', id)], limit: 1 }).length > 0,
  )

const isOfStore = ({ stream, data }: RecordedEvent, store: string): boolean => {
  if (categoryOf(stream) === batchCategory) return (data as { readonly store?: unknown }).store === store
  const id = idOf(stream)
  return id === store || id.startsWith(`${store}/`)
}

/** Returns the ids of the items that a batch found as recorded. */
const itemsOf = (event: RecordedEvent): readonly string[] => {
  const read = batchEvents.read(event)
  if (isLeft(read) || read.right.type !== 'BatchChecked') return []
  const { store, intact } = read.right.data
  return intact.flatMap((group) => group.items.map(({ path }) => itemId({ store, path })))
}

const storeObject = (store: string): PremisObject => ({
  category: 'intellectualEntity',
  identifiers: [{ type: 'fonds store', value: store }],
})

function* partsOf(store: string, viewStore: ViewStore): Generator<PremisObject> {
  const where = [is('store', store)]
  const itemIn = itemObject(rootOf(store, viewStore))
  for (const page of pagesOf(viewStore, bags, { where })) yield* page.map(bagObject)
  for (const page of pagesOf(viewStore, items, { where })) yield* page.map(itemIn)
}

const rootOf = (store: string, viewStore: ViewStore): string | undefined =>
  rowsIfFolded(viewStore, stores, { where: [is('store', store)], limit: 1 })[0]?.root ?? undefined

/** The place of an item: in a folder or a bucket, or with those who observe the store. */
const locationOf = (root: string | undefined, store: string, path: string): Identifier =>
  root === undefined
    ? { type: 'path in the store', value: itemId({ store, path }) }
    : { type: 'URI', value: isBucketAddress(root) ? `${root}/${path}` : pathToFileURL(join(root, path)).href }

const itemObject =
  (root: string | undefined) =>
  ({ store, path, size, checksums, recordedFrom, removed }: RowOf<typeof items>): PremisObject => ({
    category: 'file',
    identifiers: [{ type: 'fonds item', value: itemId({ store: String(store), path: String(path) }) }],
    originalName: String(path),
    ...(size !== null && { size }),
    ...(!removed && { location: locationOf(root, String(store), String(path)) }),
    fixity: checksums.filter(({ value }) => value !== '').map((one) => fixityOf(one, recordedFrom)),
    partOf: [{ type: 'fonds store', value: String(store) }],
  })

const bagObject = ({ store, bag }: RowOf<typeof bags>): PremisObject => ({
  category: 'intellectualEntity',
  identifiers: [{ type: 'fonds bag', value: `${store}/${bag}` }],
  partOf: [{ type: 'fonds store', value: String(store) }],
})

const fixityOf = ({ algorithm, value, basis }: Checksum, recordedFrom: string | null): Fixity => ({
  algorithm: termOrOwn('cryptographicHashFunctions', algorithmName(algorithm).toUpperCase()),
  digest: value,
  ...(basis === 'first-reading'
    ? { originator: 'fonds' }
    : recordedFrom !== null && { originator: recordedFrom }),
})
