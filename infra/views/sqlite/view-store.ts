import * as E from 'fp-ts/lib/Either.js'
import type { Generation, ViewStore } from '../../../src/ports/view-store.ts'
import { createAsk } from './ask.ts'
import { compareTables } from './compare.ts'
import { connect } from './connection.ts'
import { createFoldingTable, type FoldingTable } from './folding-table.ts'
import { createFoldings } from './foldings.ts'
import { querySql, tallySql } from './query-sql.ts'
import { createRegistry, ensureRegistryTables } from './registry.ts'

export interface ViewStoreOptions {
  /** How long to wait for another process that writes the same file; the event loop stands still meanwhile. */
  readonly busyMillis?: number
  /** Rows kept in memory from one fold to the next, in all views together (some 500 bytes each). */
  readonly cachedRows?: number
  /** Bytes up to which a file is checked for damage when it is opened; none unless said. */
  readonly checkedUpTo?: number
  /** In a new file, ids of generations begin above this. */
  readonly firstId?: number
}

/**
 * Views in an SQLite file of their own, or in memory. Any number of processes may open the same file: what is live
 * and how far each generation is folded is always read from it. All calls throw `UnavailableError` when it cannot be
 * used, and `GenerationGone` for a generation that another process has dropped.
 */
export const openViewStore = (file: string | ':memory:' | '', options: ViewStoreOptions = {}): ViewStore => {
  const { busyMillis = 5000, cachedRows = 50_000, checkedUpTo, firstId } = options
  const connection = connect(file, (db) => ensureRegistryTables(db, firstId), busyMillis, checkedUpTo)
  const { db } = connection
  const registry = createRegistry(db)
  const foldings = createFoldings(cachedRows)
  const ask = createAsk(connection, registry)

  const tablesAt = (generation: Generation, position: bigint): Readonly<Record<string, FoldingTable>> =>
    foldings.at(generation.id, position) ??
    Object.fromEntries(
      registry
        .shapes(generation.id)
        .map((shape) => [shape.name, createFoldingTable(db, shape, generation.id, position === -1n)]),
    )

  const fold: ViewStore['fold'] = (generation, from, to, apply) => {
    // Rows change only together with the checkpoint: that is what makes the cache (and a reader's trust) possible.
    if (to.position <= from)
      throw new RangeError(`a fold moves the checkpoint forward, not from ${from} to ${to.position}`)
    const tables = connection.write(() => {
      if (!registry.advance(generation, from, to)) return undefined
      const tables = tablesAt(generation, from)
      // Taken out until the commit: after a failure memory may hold what the file does not.
      foldings.forget(generation.id)
      apply(tables)
      for (const table of Object.values(tables)) table.flush()
      return tables
    })
    if (!tables) {
      foldings.forget(generation.id)
      return E.left({ kind: 'CheckpointMoved', actual: registry.checkpoint(generation).position })
    }
    foldings.keep(generation.id, { position: to.position, tables })
    return E.right(undefined)
  }

  const create: ViewStore['create'] = (projection, version, views) =>
    connection.write(() => {
      for (const other of registry.all())
        for (const { name } of other.projection === projection ? [] : registry.shapes(other.id))
          if (views.some((view) => view.name === name))
            throw new Error(`projections ${other.projection} and ${projection} both have a view ${name}`)
      return registry.insert(projection, version, views)
    })

  const promote: ViewStore['promote'] = (generation) =>
    connection.write(() => {
      for (const other of registry.all())
        if (other.projection === generation.projection && other.id !== generation.id) {
          foldings.forget(other.id)
          registry.remove(other)
        }
      registry.setLive(generation)
    })

  const bindTo: ViewStore['bindTo'] = (log, corrections) =>
    connection.write(() => {
      const there = new Set(registry.all().map(({ id }) => id))
      for (const { generation, from, to, isWrong } of corrections) {
        foldings.forget(generation.id)
        // What another process has moved or dropped meanwhile is its own to correct.
        if (!there.has(generation.id) || registry.checkpoint(generation).position !== from) continue
        if (isWrong && registry.shapes(generation.id).length > 0) registry.remove(generation)
        else registry.advance(generation, from, to)
      }
      registry.setLog(log)
    })

  return {
    foldedLog: () => connection.read(() => registry.log()),
    bindTo,
    live: (projection) => connection.read(() => registry.live(projection)),
    generations: () => connection.read(() => registry.all()),
    create,
    promote,
    drop: (generation) => {
      foldings.forget(generation.id)
      connection.write(() => registry.remove(generation))
    },
    checkpoint: (generation) => connection.read(() => registry.checkpoint(generation)),
    fold,
    query: (view, query, generation) => ask(view, generation, (shape, id) => querySql(shape, id, query)),
    tally: (view, tally, generation) => ask(view, generation, (shape, id) => tallySql(shape, id, tally)),
    shape: (view) => connection.read(() => registry.liveViews().get(view)?.shape),
    views: () => connection.read(() => [...registry.liveViews().values()].map(({ shape }) => shape)),
    compare: (first, second) =>
      connection.read(() => {
        if (registry.checkpoint(first).position !== registry.checkpoint(second).position) return undefined
        const side = ({ id }: Generation) => ({ id, shapes: registry.shapes(id) })
        return compareTables(db, side(first), side(second))
      }),
    // No name: a file of its own that goes with it. Memory would hold all rows of a large log.
    scratch: () => openViewStore('', { cachedRows }),
    close: () => connection.close(),
  }
}
