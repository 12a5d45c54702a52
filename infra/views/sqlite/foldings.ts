import type { FoldingTables } from './folding-tables.ts'
import type { MomentWriter } from './history/moments.ts'

/** A generation's tables while it is folded; the clock if one of its views keeps history. */
export interface Opened {
  readonly tables: FoldingTables
  readonly clock: MomentWriter | undefined
}

/** As this process last folded them. They equal the file while its checkpoint is still `position`. */
interface Folding extends Opened {
  readonly position: bigint
}

/** Keeps tables in memory from one fold to the next. */
export interface Foldings {
  /** Undefined where they are not in memory, or at another position. */
  at(generation: number, position: bigint): Opened | undefined
  keep(generation: number, folding: Folding): void
  /** The checkpoint was moved without a change of rows. */
  move(generation: number, from: bigint, to: bigint): void
  forget(generation: number): void
}

/** `maxBytes`: of the rows of all generations together. Those that are folded least lately lose theirs first. */
export const createFoldings = (maxBytes: number): Foldings => {
  // The one that was folded last stands last.
  const foldings = new Map<number, Folding>()

  /** Rows that were not used lately go first, then all others. */
  const makeRoom = (): void => {
    let bytes = 0
    for (const { tables } of foldings.values()) bytes += bytesIn(tables)
    for (const { tables } of foldings.values())
      for (let trims = 0; trims < 2 && bytes > maxBytes; trims++) {
        bytes -= bytesIn(tables)
        for (const table of tables.opened()) table.trim()
        bytes += bytesIn(tables)
      }
  }

  return {
    at: (generation, position) => {
      const known = foldings.get(generation)
      return known?.position === position ? known : undefined
    },
    keep: (generation, folding) => {
      foldings.delete(generation)
      foldings.set(generation, folding)
      makeRoom()
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

const bytesIn = (tables: FoldingTables): number => {
  let bytes = 0
  for (const table of tables.opened()) bytes += table.bytes()
  return bytes
}
