import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { ViewQueryError } from '#src/domain/kernel/view.ts'
import type { StoredShape, ViewStore } from '#src/ports/view-store.ts'
import { sealOf } from '#src/workflows/system/seal-view.ts'

let folder: string
let views: ViewStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-snapshot-'))
  views = openViewStore(join(folder, 'views.db'))
})
afterEach(() => {
  views.close()
  rmSync(folder, { recursive: true, force: true })
})

const shape = {
  name: 'names',
  description: 'Names.',
  key: ['name', 'n'],
  columns: { name: 'text', n: 'integer', held: 'json' },
} as const
const keys: readonly (readonly [string, number])[] = [
  ['', 0],
  ['A', -5],
  ['A', 9],
  ['A', 10],
  ['a', 0],
  ['é', 1],
  ['\ufb33', 0],
  ['\u{1f600}', 0],
]

const fill = (stored: StoredShape) => {
  const generation = views.create('p', 1, [stored])
  views.fold(generation, -1n, { position: 7n, time: null }, ({ names }) => {
    for (const [name, n] of keys.toReversed()) names!.put({ name, n, held: { n } })
  })
  views.promote(generation)
  return generation
}

it.each([
  ['by key', {}],
  ['unordered', { isUnordered: true }],
  ['with numbers for ids', { ids: ['name'] }],
] as const)('Q31: rows stand in the order of the bytes of their key, %s', async (_, hints) => {
  fill({ ...shape, ...hints })
  const snapshot = await views.snapshot()
  expect([...snapshot.rows('names')]).toEqual(keys.map(([name, n]) => ({ name, n, held: { n } })))
  expect(snapshot.generation('names')).toMatchObject({ projection: 'p', version: 1, position: 7n })
  expect(() => snapshot.generation('others')).toThrow(ViewQueryError)
  snapshot.close()
})

it('however a view is stored, its rows have one root', async () => {
  const roots = new Set<string>()
  for (const hints of [{}, { isUnordered: true }, { ids: ['name'] }] as const) {
    fill({ ...shape, ...hints })
    const snapshot = await views.snapshot()
    const { root, rows } = await sealOf(snapshot, 'names')
    expect(rows).toBe(keys.length)
    roots.add(root)
    snapshot.close()
  }
  expect(roots.size).toBe(1)
})

it('is of one moment, whatever is folded meanwhile, and may be closed in the middle', async () => {
  const generation = fill(shape)
  const snapshot = await views.snapshot()
  const rows = snapshot.rows('names')[Symbol.iterator]()
  rows.next()
  views.fold(generation, 7n, { position: 8n, time: null }, ({ names }) => {
    names!.delete('a', 0)
    names!.put({ name: 'z', n: 1, held: null })
  })
  expect([...snapshot.rows('names')]).toHaveLength(keys.length)
  expect(snapshot.generation('names').position).toBe(7n)
  snapshot.close()
  const next = await views.snapshot()
  expect([...next.rows('names')].map(({ name }) => name)).toContain('z')
  expect(next.generation('names').position).toBe(8n)
  next.close()
})

describe('a number from 2^53 on, which another program wrote', () => {
  const says = /^row A, 9007199254740993 of names has the number 9007199254740993 in its column n, and none/
  beforeEach(() => {
    const { id } = fill({ ...shape, ids: ['name'], history: { by: [] } })
    const db = new DatabaseSync(join(folder, 'views.db'))
    db.exec(`UPDATE names__${id} SET n = 9007199254740993 WHERE n = 9`)
    db.close()
  })

  it('is named by a snapshot', async () => {
    const snapshot = await views.snapshot()
    expect(() => [...snapshot.rows('names')]).toThrow(
      expect.objectContaining({ name: 'UnavailableError', message: expect.stringMatching(says) }),
    )
    snapshot.close()
  })

  it('is named by a question, of now and of the past', () => {
    expect(() => views.query('names', {})).toThrow(says)
    const past = views.asOf(views.live('p')!, { position: 7n, time: null })
    expect(() => past.query('names', {})).toThrow(/of names has (a|the) number/)
    past.close()
  })

  it('leaves other rows to be read', () => {
    const where = [{ column: 'name', is: '=', value: 'é' }] as const
    expect(views.query('names', { where })).toEqual([{ name: 'é', n: 1, held: { n: 1 } }])
  })
})
