import { type Value, ViewQueryError } from '../../../src/domain/kernel/view.ts'
import type { ViewSnapshot } from '../../../src/ports/view-store.ts'
import type { Connection } from './connection.ts'
import type { Registry } from './registry.ts'
import { createRowReader, quoted } from './shape.ts'
import { sourceOf } from './source.ts'
import { namingNumber } from './too-large.ts'

/** Reads one moment of all live views, on a connection of its own, for as long as it is open. */
export const snapshotOn = ({ db, close }: Connection, registry: Registry): ViewSnapshot => {
  db.exec('BEGIN')
  const views = registry.liveViews()
  const found = (view: string) => {
    const located = views.get(view)
    if (!located) throw new ViewQueryError(`there is no view ${view}`)
    return located
  }
  return {
    views: [...views.values()].map(({ shape }) => shape),
    generation: (view) => {
      const { id } = found(view)
      const { checkpoint, ...generation } = registry.all().find((one) => one.id === id)!
      return { ...generation, position: checkpoint.position }
    },
    *rows(view) {
      const { shape, id } = found(view)
      const columns = Object.keys(shape.columns)
      const { from, sqlOf } = sourceOf(shape, id, columns)
      const order = shape.key.map((column) => (shape.ids?.includes(column) ? sqlOf(column) : quoted(column)))
      const statement = db.prepare(
        `SELECT ${columns.map(sqlOf).join(', ')} FROM ${from} ORDER BY ${order.join(', ')}`,
      )
      statement.setReturnArrays(true)
      const read = createRowReader(columns, shape)
      try {
        for (const row of statement.iterate() as unknown as Iterable<Value[]>) yield read(row)
      } catch (error) {
        throw namingNumber(db, shape, id, error)
      }
    },
    close: () => {
      if (db.isTransaction) db.exec('ROLLBACK')
      close()
    },
  }
}
