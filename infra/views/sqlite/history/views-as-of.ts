import { GenerationGone } from '../../../../src/async/errors.ts'
import {
  foundBy,
  PastNotFolded,
  PastNotKept,
  TooManyRows,
  type ViewQuery,
  type ViewShape,
} from '../../../../src/domain/kernel/view.ts'
import type { Checkpoint } from '../../../../src/ports/checkpoint-store.ts'
import type { Generation, PastViews, ViewStore } from '../../../../src/ports/view-store.ts'
import { knownView } from '../ask.ts'
import type { Connection } from '../connection.ts'
import type { Registry } from '../registry.ts'
import { createStatements } from '../statements.ts'
import { accessOf } from './access-path.ts'
import { changesBetween } from './changes-between.ts'
import { pastRows, tallyOfPast } from './version-reader.ts'
import { type PastRows, pastCountSql, pastRowsAt } from './version-sql.ts'

/** Asks the views of a generation as they were at a position. */
export const createPast = ({ db, read }: Connection, registry: Registry, maxScanned: number) => {
  const statements = createStatements(db)

  return (store: ViewStore, generation: Generation, at: Checkpoint): PastViews => {
    const { id, projection } = generation
    const shapes = (): readonly ViewShape[] => registry.shapes(id)

    /** In one snapshot: another process may fold, or drop the generation, meanwhile. */
    const inPast = <A>(view: string, from: bigint, use: (shape: ViewShape, past: PastRows) => A): A =>
      read(() => {
        const newest = registry.checkpoint(generation).position
        if (newest < at.position)
          throw new PastNotFolded(
            `${projection} is folded up to ${newest}, not up to ${at.position}`,
            at.position,
          )
        const shape = knownView(shapes(), view)
        const kept = shape.history && registry.keptFrom(id, view)
        if (kept === undefined) throw new PastNotKept(`${view} keeps no history`)
        if (from < kept) throw new PastNotKept(`${view} keeps its history from position ${kept} on`)
        return use(shape, pastRowsAt(statements, shape, id, Number(at.position)))
      })

    /** Throws `TooManyRows`. */
    const rowsToScan = (shape: ViewShape, past: PastRows): number => {
      const { sql, values } = pastCountSql(shape, past, maxScanned + 1)
      const rows = Number(statements(sql).get(...values)?.[0])
      if (rows <= maxScanned) return rows
      throw new TooManyRows(
        `the query would read all rows of ${shape.name} as of then, and those that ended since: more than ${maxScanned.toLocaleString('en')}; ${foundBy(shape)}`,
      )
    }

    const scanned = (shape: ViewShape, past: PastRows, query: ViewQuery): number | undefined =>
      accessOf(shape, query).kind === 'scan' ? rowsToScan(shape, past) : undefined

    return {
      ...store,
      live: (name) => (name === projection ? generation : undefined),
      generations: () => [{ ...generation, checkpoint: at }],
      checkpoint: (other) => {
        if (other.id === id) return at
        throw new GenerationGone(`generation ${other.id} is not among these historical views`)
      },
      query: (view, query) =>
        inPast(view, at.position, (shape, past) => {
          scanned(shape, past, query)
          return pastRows(statements, shape, past, query)
        }),
      tally: (view, tally) =>
        inPast(view, at.position, (shape, past) => {
          rowsToScan(shape, past)
          return tallyOfPast(statements, shape, past, tally)
        }),
      changes: (view, since, page) =>
        inPast(view, since, (shape, past) => changesBetween(statements, shape, past, Number(since), page)),
      shape: (view) => shapes().find(({ name }) => name === view),
      views: shapes,
      scanned: (view, query) => inPast(view, at.position, (shape, past) => scanned(shape, past, query)),
      close: () => {},
    }
  }
}
