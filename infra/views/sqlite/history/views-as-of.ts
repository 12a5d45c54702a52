import { GenerationMissing } from '../../../../src/async/errors.ts'
import {
  foundBy,
  HistoryNotFolded,
  HistoryNotKept,
  TooManyRows,
  type ViewQuery,
} from '../../../../src/domain/kernel/view.ts'
import type { Checkpoint } from '../../../../src/ports/checkpoint-store.ts'
import type { Generation, StoredShape, ViewStore, ViewsAsOf } from '../../../../src/ports/view-store.ts'
import { knownView } from '../ask.ts'
import type { Connection } from '../connection.ts'
import type { Registry } from '../registry.ts'
import { createStatements } from '../statements.ts'
import { readingNumbers } from '../too-large.ts'
import { accessOf } from './access-path.ts'
import { changesBetween } from './changes-between.ts'
import { queryAsOf, tallyAsOf } from './rows-as-of.ts'
import { type RowsAsOf, rowsAsOf, scanCountSql } from './version-sql.ts'

/** Asks the views of a generation as they were at a position. */
export const createViewsAsOf = ({ db, read }: Connection, registry: Registry, maxScanned: number) => {
  const statements = createStatements(db)

  return (store: ViewStore, generation: Generation, at: Checkpoint): ViewsAsOf => {
    const { id, projection } = generation
    const shapes = (): readonly StoredShape[] => registry.shapes(id)

    /** In one snapshot: another process may fold, or drop the generation, meanwhile. */
    const inHistory = <A>(view: string, from: bigint, use: (shape: StoredShape, asOf: RowsAsOf) => A): A =>
      read(() => {
        const newest = registry.checkpoint(generation).position
        if (newest < at.position)
          throw new HistoryNotFolded(
            `${projection} is folded up to ${newest}, not up to ${at.position}`,
            at.position,
          )
        const shape = knownView(shapes(), view)
        const kept = shape.history && registry.keptFrom(id, view)
        if (kept === undefined) throw new HistoryNotKept(`${view} keeps no history`)
        if (from < kept) throw new HistoryNotKept(`${view} keeps its history from position ${kept} on`)
        return readingNumbers(db, shape, id, () =>
          use(shape, rowsAsOf(statements, shape, id, Number(at.position))),
        )
      })

    /** Throws `TooManyRows`. */
    const rowsToScan = (shape: StoredShape, asOf: RowsAsOf): number => {
      const { sql, values } = scanCountSql(shape, asOf, maxScanned + 1)
      const rows = Number(statements(sql).get(...values)?.[0])
      if (rows <= maxScanned) return rows
      throw new TooManyRows(
        `the query would read all rows of ${shape.name} as of then, and those that ended since: more than ${maxScanned.toLocaleString('en')}; ${foundBy(shape)}`,
      )
    }

    const scanned = (shape: StoredShape, asOf: RowsAsOf, query: ViewQuery): number | undefined =>
      accessOf(shape, query).kind === 'scan' ? rowsToScan(shape, asOf) : undefined

    return {
      ...store,
      live: (name) => (name === projection ? generation : undefined),
      generations: () => [{ ...generation, checkpoint: at }],
      checkpoint: (other) => {
        if (other.id === id) return at
        throw new GenerationMissing(`generation ${other.id} is not among these historical views`)
      },
      query: (view, query) =>
        inHistory(view, at.position, (shape, asOf) => {
          scanned(shape, asOf, query)
          return queryAsOf(statements, shape, asOf, query)
        }),
      tally: (view, tally) =>
        inHistory(view, at.position, (shape, asOf) => {
          rowsToScan(shape, asOf)
          return tallyAsOf(statements, shape, asOf, tally)
        }),
      withWord: (view) => {
        throw new HistoryNotKept(`${view} keeps no history of its words`)
      },
      changes: (view, since, page) =>
        inHistory(view, since, (shape, asOf) => changesBetween(statements, shape, asOf, Number(since), page)),
      shape: (view) => shapes().find(({ name }) => name === view),
      views: shapes,
      scanned: (view, query) => inHistory(view, at.position, (shape, asOf) => scanned(shape, asOf, query)),
      close: () => {},
    }
  }
}
