import * as E from 'fp-ts/lib/Either.js'
import type { Generation, ViewStore } from '../../../src/ports/view-store.ts'
import type { Connection } from './connection.ts'
import { createFoldingTable, type FoldingTable } from './folding-table.ts'
import type { Foldings } from './foldings.ts'
import type { Registry } from './registry.ts'

type Tables = Readonly<Record<string, FoldingTable>>

/** Changes rows and the checkpoint in one transaction; tables stay in memory for the next fold. */
export const createFold = (
  { db, write }: Connection,
  registry: Registry,
  foldings: Foldings,
): ViewStore['fold'] => {
  const openTables = ({ id }: Generation, isEmpty: boolean): Tables =>
    Object.fromEntries(
      registry.shapes(id).map((shape) => [shape.name, createFoldingTable(db, shape, id, isEmpty)]),
    )

  return (generation, from, to, apply) => {
    // Rows change only together with the checkpoint: that is what makes the cache (and a reader's trust) possible.
    if (to.position <= from)
      throw new RangeError(`a fold moves the checkpoint forward, not from ${from} to ${to.position}`)
    const tables = write(() => {
      if (!registry.advance(generation, from, to)) return undefined
      const tables = foldings.at(generation.id, from) ?? openTables(generation, from === -1n)
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
}

/** Moves checkpoints past what changes no rows; tables stay in memory. */
export const createPass =
  ({ write }: Connection, registry: Registry, foldings: Foldings): ViewStore['pass'] =>
  (passes) => {
    const moved = write(() =>
      passes.map(({ generation, from, to }) => registry.advance(generation, from, to)),
    )
    for (const [i, { generation, from, to }] of passes.entries())
      if (moved[i]) foldings.move(generation.id, from, to.position)
    return moved
  }
