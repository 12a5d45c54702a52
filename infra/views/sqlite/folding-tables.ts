import type { StoredShape, Table } from '../../../src/ports/view-store.ts'
import type { FoldingTable } from './folding-table.ts'

/** The tables of a generation while it is folded. Each is opened when it is first used: most processes change few views. */
export interface FoldingTables {
  readonly byName: Readonly<Record<string, Table>>
  /** Those that were used, in the order of the views. */
  opened(): readonly FoldingTable[]
}

export const createFoldingTables = (
  shapes: readonly StoredShape[],
  open: (shape: StoredShape) => FoldingTable,
): FoldingTables => {
  const tables = new Map<StoredShape, FoldingTable>()
  const openNow = (shape: StoredShape): FoldingTable => {
    const table = open(shape)
    tables.set(shape, table)
    return table
  }
  const byName: Record<string, Table> = {}
  for (const shape of shapes)
    Object.defineProperty(byName, shape.name, {
      enumerable: true,
      get: () => tables.get(shape) ?? openNow(shape),
    })
  return { byName, opened: () => shapes.flatMap((shape) => tables.get(shape) ?? []) }
}
