import * as E from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import { category as batchCategory, batchEvents } from '../../../domain/fixity/batch/events.ts'
import { events, type FixityEvent } from '../../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../../domain/fixity/item.ts'
import type { VersionRecord } from '../../../domain/fixity/version-check.ts'
import { bitLog } from '../../../domain/fixity/views.ts'
import { categoryOf, type RecordedEvent } from '../../../domain/kernel/event.ts'
import { is, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import { ProjectionStopped } from '../../runtime/projection.ts'

type Log = Pick<EventStore, 'read' | 'readAll'>

const pageSize = 200

/** Most checks in batches that are looked through, the newest. */
const maxChecks = 1000

/**
 * Records of ours that are of one version of an item: what a producer recorded under that version, and what checks read
 * of it. Of records with the same checksums the oldest. Throws `UnavailableError`.
 */
export const recordsOfVersion = async (
  log: Log,
  views: Pick<Views, 'query'>,
  item: Item,
  versionId: string,
): Promise<readonly VersionRecord[]> => {
  const found = [
    ...(await ownRecords(log, item, versionId)),
    ...(await inBatches(log, views, item, versionId)),
  ]
  const textOf = ({ checksums, size }: VersionRecord) => JSON.stringify([checksums, size])
  return found.filter((one, i) => found.findIndex((other) => textOf(other) === textOf(one)) === i)
}

const ownRecords = async (log: Log, item: Item, versionId: string): Promise<readonly VersionRecord[]> => {
  const found: VersionRecord[] = []
  for (let from = 0n; ; ) {
    const page = await orThrow(log.read(itemStream(item), from, 'forward', pageSize))
    for (const event of page) found.push(...recordIn(readOwn(event), versionId))
    const last = page.at(-1)
    if (!last || page.length < pageSize) return found
    from = last.revision + 1n
  }
}

const recordIn = ({ type, data }: FixityEvent, versionId: string): readonly VersionRecord[] => {
  switch (type) {
    case 'ContentRecorded':
      return data.version === versionId
        ? [{ source: data.recordedFrom, checksums: data.checksums, ...sizeOf(data.size) }]
        : []
    case 'FixityDecided': {
      const { content, storage } = data.evidence
      const isOfIt = storage.status === 'present' && storage.versionId === versionId
      return isOfIt && content.status === 'read' ? [readBy(data.observedAt, content)] : []
    }
    case 'VersionChecked':
      return data.versionId === versionId && data.content.status === 'read'
        ? [readBy(data.observedAt, data.content)]
        : []
    default:
      return []
  }
}

const readBy = (
  observedAt: string,
  { checksums, size }: Pick<VersionRecord, 'checksums' | 'size'>,
): VersionRecord => ({ source: `the check of ${observedAt}`, checksums, ...sizeOf(size) })

const sizeOf = (size: number | undefined) => (size === undefined ? {} : { size })

/** Checks in batches are in no item's own stream. */
const inBatches = async (
  log: Log,
  views: Pick<Views, 'query'>,
  { store, path }: Item,
  versionId: string,
): Promise<readonly VersionRecord[]> => {
  const rows = narrowRows(views, bitLog, ['position'], {
    where: [is('store', store), is('path', path)],
    orderBy: [{ column: 'position', descending: true }],
    limit: maxChecks,
  })
  const found: VersionRecord[] = []
  for (const { position } of rows.toReversed()) {
    const {
      events: [event],
    } = await orThrow(log.readAll(BigInt(position ?? 0) - 1n, {}, 1))
    if (!event || categoryOf(event.stream) !== batchCategory) continue
    const read = batchEvents.read(event)
    if (E.isLeft(read)) throw new ProjectionStopped('fixity', event, read.left)
    if (read.right.type !== 'BatchChecked') continue
    for (const { items } of read.right.data.intact)
      for (const entry of items)
        if (entry.path === path && entry.versionId === versionId) {
          const checksums = Object.entries(entry.checksums).map(([algorithm, value]) => ({
            algorithm,
            value,
          }))
          found.push(readBy(entry.observedAt, { checksums, size: entry.size }))
        }
  }
  return found
}

const readOwn = (event: RecordedEvent): FixityEvent => {
  const read = events.read(event)
  if (E.isLeft(read)) throw new ProjectionStopped('fixity', event, read.left)
  return read.right
}
