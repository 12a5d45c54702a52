import { describe, expect, it } from 'vitest'
import type { FoldingTable } from '#infra/views/sqlite/folding-table.ts'
import { createFoldingTables } from '#infra/views/sqlite/folding-tables.ts'

const shapeOf = (name: string) => ({ name, description: '', key: ['id'], columns: { id: 'text' } }) as const

const given = () => {
  const made = new Map<string, FoldingTable>()
  const { byName, opened } = createFoldingTables(['a', 'b', 'c'].map(shapeOf), ({ name }) => {
    const table: FoldingTable = {
      get: () => ({ id: name }),
      put: () => {},
      delete: () => {},
      flush: () => {},
      bytes: () => 0,
      trim: () => {},
    }
    made.set(name, table)
    return table
  })
  return { byName, opened, made }
}

describe('the tables of a generation while it is folded', () => {
  it('none is opened before it is used', () => {
    const { byName, opened, made } = given()
    expect(Object.keys(byName)).toEqual(['a', 'b', 'c'])
    expect(opened()).toEqual([])
    expect(made.size).toBe(0)
  })

  it('each is opened once, and they stand in the order of the views', () => {
    const { byName, opened, made } = given()
    expect(byName.c?.get('1')).toEqual({ id: 'c' })
    const first = made.get('c')
    expect(byName.a?.get('1')).toEqual({ id: 'a' })
    expect(byName.c).toBe(first)
    expect(opened()).toEqual([made.get('a'), first])
  })
})
