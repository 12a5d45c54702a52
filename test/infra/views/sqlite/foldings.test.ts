import { describe, expect, it } from 'vitest'
import type { FoldingTable } from '#infra/views/sqlite/folding-table.ts'
import { createFoldings } from '#infra/views/sqlite/foldings.ts'

/** A table with so many bytes of rows in memory: those used lately, and those used before. */
const table = (recent: number, older = 0): FoldingTable => ({
  get: () => undefined,
  put: () => {},
  delete: () => {},
  flush: () => {},
  bytes: () => recent + older,
  trim: () => {
    older = recent
    recent = 0
  },
})

const keeping = (maxBytes: number) => {
  const foldings = createFoldings(maxBytes)
  return (generation: number, rows: FoldingTable) =>
    foldings.keep(generation, {
      position: 1n,
      tables: { byName: { rows }, opened: () => [rows] },
      clock: undefined,
    })
}

describe('rows kept in memory from one fold to the next', () => {
  it('a generation may have what others leave', () => {
    const keep = keeping(100)
    const [few, none, many] = [table(5), table(0), table(90)]
    keep(1, few)
    keep(2, none)
    keep(3, many)
    expect([few.bytes(), none.bytes(), many.bytes()]).toEqual([5, 0, 90])
  })

  it('those that were folded least lately lose theirs first, and no more than must be', () => {
    const keep = keeping(100)
    const [first, second, third] = [table(10, 30), table(20, 20), table(40)]
    keep(1, first)
    keep(2, second)
    keep(1, first)
    keep(3, third)
    expect([first.bytes(), second.bytes(), third.bytes()]).toEqual([40, 20, 40])
  })

  it('of one generation, rows that were used lately stay longer', () => {
    const rows = table(80, 60)
    keeping(100)(1, rows)
    expect(rows.bytes()).toBe(80)
  })

  it('never more than so many', () => {
    const rows = table(101)
    keeping(100)(1, rows)
    expect(rows.bytes()).toBe(0)
  })
})
