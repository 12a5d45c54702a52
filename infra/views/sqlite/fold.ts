import * as E from 'fp-ts/lib/Either.js'
import type { Generation, StoredShape, ViewStore } from '../../../src/ports/view-store.ts'
import type { Connection } from './connection.ts'
import { createFoldingTable } from './folding-table.ts'
import { createFoldingTables } from './folding-tables.ts'
import type { Foldings, Opened } from './foldings.ts'
import { createMomentWriter } from './history/moments.ts'
import { createIds, holdIds } from './ids.ts'
import type { Registry } from './registry.ts'

/** Changes rows and the checkpoint in one transaction; tables stay in memory for the next fold. */
export const createFold = (
  { db, write }: Connection,
  registry: Registry,
  foldings: Foldings,
  blockEntries: number,
): ViewStore['fold'] => {
  const open = ({ id }: Generation, from: bigint): Opened => {
    const shapes = registry.shapes(id)
    const clock = shapes.some(({ history }) => history) ? createMomentWriter(db, id) : undefined
    const history = { position: () => clock?.position() ?? -1, blockEntries }
    const ids = holdIds(shapes) ? createIds(db, id) : undefined
    const openTable = (shape: StoredShape) => createFoldingTable(db, shape, id, from === -1n, history, ids)
    return { tables: createFoldingTables(shapes, openTable), clock }
  }

  return (generation, from, to, apply) => {
    // Rows change only together with the checkpoint: that is what makes the cache (and a reader's trust) possible.
    if (to.position <= from)
      throw new RangeError(`a fold moves the checkpoint forward, not from ${from} to ${to.position}`)
    const opened = write(() => {
      if (!registry.advance(generation, from, to)) return undefined
      const opened = foldings.at(generation.id, from) ?? open(generation, from)
      // Taken out until the commit: after a failure memory may hold what the file does not.
      foldings.forget(generation.id)
      const { tables, clock } = opened
      clock?.start(to.position)
      apply(tables.byName, clock?.begin ?? ignore)
      for (const table of tables.opened()) table.flush(Number(to.position))
      clock?.flush()
      return opened
    })
    if (!opened) {
      foldings.forget(generation.id)
      return E.left({ kind: 'CheckpointMoved', actual: registry.checkpoint(generation).position })
    }
    foldings.keep(generation.id, { ...opened, position: to.position })
    return E.right(undefined)
  }
}

const ignore = (): void => {}

/** Moves checkpoints past what changes no rows; tables stay in memory. Nothing else waits for another process meanwhile. */
export const createPass =
  ({ writeAtOnce }: Connection, registry: Registry, foldings: Foldings): ViewStore['pass'] =>
  (passes) => {
    const moved = writeAtOnce(() =>
      passes.map(({ generation, from, to }) => registry.advance(generation, from, to)),
    )
    for (const [i, { generation, from, to }] of passes.entries())
      if (moved[i]) foldings.move(generation.id, from, to.position)
    return moved
  }
