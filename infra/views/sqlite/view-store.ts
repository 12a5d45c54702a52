import type { DatabaseSync } from 'node:sqlite'
import type { Generation, ViewStore } from '../../../src/ports/view-store.ts'
import { createAsk } from './ask.ts'
import { compareTables } from './compare.ts'
import { connect } from './connection.ts'
import { createFold, createPass } from './fold.ts'
import { createFoldings } from './foldings.ts'
import { createGenerations } from './generations.ts'
import { defaultBlockEntries } from './history/order-writer.ts'
import { createViewsAsOf } from './history/views-as-of.ts'
import { querySql, tallySql } from './query-sql.ts'
import { createRegistry, ensureRegistryTables } from './registry.ts'
import { wordSql } from './words.ts'

export interface ViewStoreOptions {
  /** How long to wait for another process that writes the same file. The event loop is blocked meanwhile. */
  readonly busyMillis?: number
  /** Bytes of rows kept in memory from one fold to the next, in all views together. */
  readonly rowBytes?: number
  /** Bytes of pages of the file that SQLite keeps in memory. */
  readonly pageBytes?: number
  /** Bytes up to which a file is checked for damage when it is opened; 0 by default. */
  readonly checkedUpTo?: number
  /** In a new file, ids of generations begin above this. */
  readonly firstId?: number
  /** False: views that are created here keep no history, whatever their shapes declare. Existing ones stay as they are. */
  readonly keepsHistory?: boolean
  /** Most entries of a block in an order of history: see history/order-writer.ts. */
  readonly blockEntries?: number
  /** Most rows that a query of history may read: some 500,000 take a second. */
  readonly maxScanned?: number
}

/**
 * Views in an SQLite file of their own, or in memory. Any number of processes may open the same file: which
 * generation is live, and its checkpoint, are always read from it. All calls throw `UnavailableError` when it cannot be
 * used, and `GenerationMissing` for a generation that another process has dropped.
 */
export const openViewStore = (file: string | ':memory:' | '', options: ViewStoreOptions = {}): ViewStore => {
  const {
    busyMillis = 5000,
    rowBytes = 32 * 1024 ** 2,
    pageBytes,
    checkedUpTo,
    firstId,
    keepsHistory = true,
    blockEntries = defaultBlockEntries,
    maxScanned = 1_000_000,
  } = options
  const prepare = (db: DatabaseSync) => ensureRegistryTables(db, firstId)
  const connection = connect(file, prepare, busyMillis, { checkedUpTo, pageBytes })
  const { db } = connection
  const registry = createRegistry(db)
  const foldings = createFoldings(rowBytes)
  const ask = createAsk(connection, registry)
  const viewsAsOf = createViewsAsOf(connection, registry, maxScanned)

  const store: ViewStore = {
    foldedLog: () => connection.read(() => registry.log()),
    live: (projection) => connection.read(() => registry.live(projection)),
    generations: () => connection.read(() => registry.all()),
    ...createGenerations(connection, registry, foldings, keepsHistory),
    checkpoint: (generation) => connection.read(() => registry.checkpoint(generation)),
    fold: createFold(connection, registry, foldings, blockEntries),
    pass: createPass(connection, registry, foldings),
    query: (view, query, generation) => ask(view, generation, (shape, id) => querySql(shape, id, query)),
    tally: (view, tally, generation) => ask(view, generation, (shape, id) => tallySql(shape, id, tally)),
    withWord: (view, begin, page) => ask(view, undefined, (shape, id) => wordSql(shape, id, begin, page)),
    shape: (view) => connection.read(() => registry.liveViews().get(view)?.shape),
    views: () => connection.read(() => [...registry.liveViews().values()].map(({ shape }) => shape)),
    moment: (generation, point) => connection.read(() => registry.moment(generation, point)),
    asOf: (generation, at) => viewsAsOf(store, generation, at),
    dropHistory: (generation, time) => connection.writeAtOnce(() => registry.dropHistory(generation, time)),
    historyFrom: ({ id }) =>
      connection.read(() =>
        BigInt(Math.max(-1, ...registry.shapes(id).map(({ name }) => registry.keptFrom(id, name)))),
      ),
    compare: (first, second) =>
      connection.read(() => {
        if (registry.checkpoint(first).position !== registry.checkpoint(second).position) return undefined
        const side = ({ id }: Generation) => ({
          id,
          shapes: registry.shapes(id),
          keptFrom: (view: string) => registry.keptFrom(id, view),
        })
        return compareTables(db, side(first), side(second))
      }),
    comparer: async () => (await import('./compare-apart.ts')).openComparer(file, store),
    snapshot: async () => {
      const { snapshotOn } = await import('./snapshot.ts')
      const own = connect(file, prepare, busyMillis, { pageBytes })
      return snapshotOn(own, createRegistry(own.db))
    },
    // Without a name SQLite makes a file that is deleted when it is closed. Memory would hold all rows of a large log.
    // It is of one moment.
    scratch: () => openViewStore('', { rowBytes, ...(pageBytes && { pageBytes }), keepsHistory: false }),
    close: () => connection.close(),
  }
  return store
}
