import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { left, right } from 'fp-ts/lib/Either.js'
import {
  type Generation,
  type Row,
  type Value,
  ViewQueryError,
  type ViewShape,
  type ViewStore,
} from '../../../src/ports/view-store.ts'
import { compareTables } from './compare.ts'
import { connect } from './connection.ts'
import { type FoldingTable, foldingTable } from './folding-table.ts'
import { type Question, querySql, tallySql } from './question.ts'
import { type Located, makeRegistry, openRegistry } from './registry.ts'
import { rowReader } from './shape.ts'

export interface ViewStoreOptions {
  /** How long to wait for another process that writes the same file; the event loop stands still meanwhile. */
  readonly busyMillis?: number
  /** Rows kept in memory from one fold to the next, in all views together (some 500 bytes each). */
  readonly cachedRows?: number
  /** Bytes up to which a file is looked through for damage when it is opened; none unless said. */
  readonly checkedUpTo?: number
  /** Ids of generations that are made begin above this, in a new file. */
  readonly firstId?: number
}

/** A generation's tables as this process last left them: true to the file while its checkpoint is still `position`. */
interface Folding {
  readonly position: bigint
  readonly tables: Readonly<Record<string, FoldingTable>>
}

/**
 * Views in an SQLite file of their own, or in memory. Any number of processes may open the same file: what is live
 * and how far each generation is folded is always read from it. All calls throw `ViewStoreAway` when it cannot be
 * used, and `GenerationGone` for a generation that another process has dropped.
 */
export const openViewStore = (file: string | ':memory:' | '', options: ViewStoreOptions = {}): ViewStore => {
  const { busyMillis = 5000, cachedRows = 50_000, checkedUpTo, firstId } = options
  const connection = connect(file, (db) => makeRegistry(db, firstId), busyMillis, checkedUpTo)
  const { db } = connection
  const registry = openRegistry(db)
  const foldings = new Map<number, Folding>()

  const foldingAt = (generation: Generation, position: bigint): Folding['tables'] => {
    const known = foldings.get(generation.id)
    if (known?.position === position) return known.tables
    const tables = registry
      .shapes(generation.id)
      .map((shape) => [shape.name, foldingTable(db, shape, generation.id, position === -1n)] as const)
    return Object.fromEntries(tables)
  }

  const fold: ViewStore['fold'] = (generation, from, to, apply) => {
    // Rows change only together with the checkpoint: that is what makes the cache (and a reader's trust) possible.
    if (to.position <= from)
      throw new RangeError(`a fold moves the checkpoint forward, not from ${from} to ${to.position}`)
    const tables = connection.write(() => {
      if (!registry.advance(generation, from, to)) return undefined
      const tables = foldingAt(generation, from)
      // Taken out until the commit: after a failure memory may hold what the file does not.
      foldings.delete(generation.id)
      apply(tables)
      for (const table of Object.values(tables)) table.flush()
      return tables
    })
    if (!tables) {
      foldings.delete(generation.id)
      return left({ kind: 'CheckpointMoved', actual: registry.checkpoint(generation).position })
    }
    remember(generation.id, { position: to.position, tables })
    return right(undefined)
  }

  /** Keeps a generation within its share: half for the rows used lately, half for those used before. */
  const remember = (id: number, folding: Folding) => {
    const tables = Object.values(folding.tables)
    // A checkpoint alone has no rows, and takes none of the room.
    if (tables.length === 0) return
    foldings.set(id, folding)
    const share = cachedRows / foldings.size
    const held = tables.reduce((rows, table) => rows + table.size(), 0)
    if (held > share) foldings.delete(id)
    else if (held * 2 > share) for (const table of tables) table.trim()
  }

  const locate = (view: string, generation?: Generation): Located => {
    if (!generation) {
      const views = registry.liveViews()
      const found = views.get(view)
      if (found) return found
      throw unknownView(view, [...views.keys()])
    }
    const shapes = registry.shapes(generation.id)
    const shape = shapes.find(({ name }) => name === view)
    if (shape) return { shape, id: generation.id }
    throw unknownView(
      view,
      shapes.map(({ name }) => name),
    )
  }

  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql)
    if (!statement) {
      if (statements.size >= 200) statements.clear()
      statement = db.prepare(sql)
      statement.setReturnArrays(true)
      statements.set(sql, statement)
    }
    return statement
  }

  const ask = (
    view: string,
    generation: Generation | undefined,
    question: (shape: ViewShape, id: number) => Question,
  ): readonly Row[] =>
    connection.read(() => {
      const { shape, id } = locate(view, generation)
      const { sql, values, columns } = question(shape, id)
      const rows = prepared(sql).all(...(values as SQLInputValue[])) as unknown as Value[][]
      return rows.map(rowReader(columns, shape))
    })

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
          foldings.delete(other.id)
          registry.remove(other)
        }
      registry.setLive(generation)
    })

  const bindTo: ViewStore['bindTo'] = (log, corrections) =>
    connection.write(() => {
      const there = new Set(registry.all().map(({ id }) => id))
      for (const { generation, from, to, isWrong } of corrections) {
        foldings.delete(generation.id)
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
      foldings.delete(generation.id)
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

const unknownView = (view: string, known: readonly string[]) =>
  new ViewQueryError(
    known.length > 0
      ? `there is no view ${view}; there are ${known.join(', ')}`
      : `there is no view ${view} yet`,
  )
