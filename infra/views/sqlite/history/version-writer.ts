import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { createStored, type Ids } from '../ids.ts'
import type { EndedVersion, Entry } from '../row-cache.ts'
import { createCreatedList } from './created-rows.ts'
import { createDeletedRows } from './deleted-rows.ts'
import { createOrderWriter } from './order-writer.ts'
import { createRecordWriter } from './record-writer.ts'
import { historyOrders } from './tables.ts'
import type { Links } from './version-links.ts'

/** Writes the history of a view while it is folded. */
export interface VersionWriter {
  /** Ends the version of a row that is in force at `to`. An earlier event began it. */
  end(entry: Entry, to: number): void
  /** Returns the start and the links of a row's absence; undefined if the row never existed. */
  deleted(key: readonly Value[]): { readonly from: number; readonly links: Links } | undefined
  /** Writes ended versions. Must be called once per transaction, with its last position, before `complete`. */
  flush(position: number): void
  /** Completes a row that was written or deleted in this transaction. */
  complete(entry: Entry): void
}

/** Fewest versions of one row in one transaction that are gathered into records: mostly of counters. */
const minRun = 8
/** Characters of a record's `@more`, which is read whole; one version more begins another record. */
const maxMore = 2000

export const createVersionWriter = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  blockEntries: number,
  ids?: Ids,
): VersionWriter => {
  const stored = createStored(shape, ids)
  const orders = historyOrders(shape).map((names, number) =>
    createOrderWriter(db, shape, generation, { columns: names, number, blockEntries }, ids),
  )
  const deleted = createDeletedRows(db, shape, generation)
  const created = createCreatedList(db, shape, generation)
  const records = createRecordWriter(db, shape, generation, stored)
  /** Entries in the order of time. */
  let ending: Entry[] = []

  const keyOf = ({ key = [] }: Entry): readonly Value[] => stored.key(key)

  /** Writes a record when the last version that it has room for ends. Returns true if it has several. */
  const gather = (entry: Entry, ended: readonly EndedVersion[], i: number): boolean => {
    const version = ended[i] as EndedVersion
    if (ended.length < minRun) {
      if (version.row) records.write(entry, version, version.to, null)
      else created.add(version.to, keyOf(entry))
      return false
    }
    if (entry.run) entry.run.more += `,${records.laterVersion(version)}`
    else entry.run = { first: version, more: '' }
    const { first, more } = entry.run
    if (i + 1 < ended.length && more.length < maxMore) return false
    records.write(entry, first, version.to, more === '' ? null : `[${more.slice(1)}]`)
    entry.run = undefined
    return more !== ''
  }

  return {
    end: (entry, to) => {
      entry.ended ??= []
      entry.ended.push({ row: entry.row, from: entry.from, to })
      ending.push(entry)
    },
    deleted: (key) => {
      const known = stored.knownKey(key)
      return known && deleted.find(known)
    },
    flush: (position) => {
      if (ending.length === 0) return
      const first = records.begin()
      let hasRuns = false
      for (const entry of ending) {
        const ended = entry.ended as EndedVersion[]
        const i = entry.gathered++
        const version = ended[i] as EndedVersion
        if (gather(entry, ended, i)) hasRuns = true
        const next = i + 1 < ended.length ? (ended[i + 1] as EndedVersion).row : entry.row
        for (const order of orders) order.change(version.row, next, version.to)
      }
      if (hasRuns) records.noteRuns(position, first)
      ending = []
      created.flush()
      for (const order of orders) order.flush()
    },
    complete: (entry) => {
      if (entry.row === undefined) deleted.put(keyOf(entry), entry.from, entry.links)
      else if (entry.isDeleted) deleted.remove(keyOf(entry))
      entry.isDeleted = entry.row === undefined
      entry.ended = undefined
      entry.gathered = 0
    },
  }
}
