import { isLeft } from 'fp-ts/lib/Either.js'
import { batchEvents, category } from '../../domain/fixity/batch/events.ts'
import type { Item } from '../../domain/fixity/item.ts'
import { bitLog } from '../../domain/fixity/views.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Elsewhere } from '../workflow-model.ts'

/** Finds the checks of an item that were recorded in batches: the bit log has their positions. */
export const checksInBatches = ({ store, path }: Item, viewStore: ViewStore): Elsewhere => ({
  positions: (from, limit) =>
    rowsIfFolded(viewStore, bitLog, {
      where: [is('store', store), is('path', path), { column: 'position', is: '>=', value: Number(from) }],
      orderBy: [{ column: 'position' }],
      limit,
    }).map(({ position }) => BigInt(position)),
  positionsBefore: (before, limit) =>
    rowsIfFolded(viewStore, bitLog, {
      where: [
        is('store', store),
        is('path', path),
        ...(before === 'end' ? [] : [{ column: 'position', is: '<', value: Number(before) } as const]),
      ],
      orderBy: [{ column: 'position', descending: true }],
      limit,
    }).map(({ position }) => BigInt(position)),
  partOf: (event) => partOf(event, path),
})

/** Returns the item's entry in a batch event, with the result of its group. */
const partOf = (event: RecordedEvent, path: string): RecordedEvent | undefined => {
  if (categoryOf(event.stream) !== category) return undefined
  const read = batchEvents.read(event)
  if (isLeft(read) || read.right.type !== 'BatchChecked') return undefined
  const { worker, intact } = read.right.data
  for (const { items, ...found } of intact) {
    const item = items.find((each) => each.path === path)
    if (item) return { ...event, data: { ...found, ...item, worker } }
  }
  return undefined
}
