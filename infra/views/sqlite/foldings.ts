import type { FoldingTable } from './folding-table.ts'

/** A generation's tables as this process last folded them. They equal the file while its checkpoint is still `position`. */
interface Folding {
  readonly position: bigint
  readonly tables: Readonly<Record<string, FoldingTable>>
}

/** Keeps tables in memory from one fold to the next. */
export interface Foldings {
  /** Undefined where they are not in memory, or at another position. */
  at(generation: number, position: bigint): Folding['tables'] | undefined
  keep(generation: number, folding: Folding): void
  /** The checkpoint was moved without a change of rows. */
  move(generation: number, from: bigint, to: bigint): void
  forget(generation: number): void
}

/** `maxRows`: of all generations together; each may keep an equal part. */
export const createFoldings = (maxRows: number): Foldings => {
  const foldings = new Map<number, Folding>()
  return {
    at: (generation, position) => {
      const known = foldings.get(generation)
      return known?.position === position ? known.tables : undefined
    },
    /** Half of a generation's part is for the rows used lately, half for those used before. */
    keep: (generation, folding) => {
      const tables = Object.values(folding.tables)
      // A generation without views would only make the parts of the others smaller.
      if (tables.length === 0) return
      foldings.set(generation, folding)
      const share = maxRows / foldings.size
      const held = tables.reduce((rows, table) => rows + table.size(), 0)
      if (held > share) foldings.delete(generation)
      else if (held * 2 > share) for (const table of tables) table.trim()
    },
    move: (generation, from, to) => {
      const known = foldings.get(generation)
      if (known?.position === from) foldings.set(generation, { ...known, position: to })
    },
    forget: (generation) => {
      foldings.delete(generation)
    },
  }
}
