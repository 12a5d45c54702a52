import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openViewCopies } from '../../../../infra/views/sqlite/copies.ts'
import { openViewStore } from '../../../../infra/views/sqlite/view-store.ts'
import { UnavailableError } from '../../../../src/async/unavailable.ts'
import type { Generation, ViewStore } from '../../../../src/ports/view-store.ts'
import { foldOne, type Log, shapes } from './past-tasks.ts'

/* Page P65: copies of views. */

let folder = ''
let copies: ReturnType<typeof openViewCopies>
let views: ViewStore
let live: Generation

const file = () => join(folder, 'views.db')
const copyFolder = () => join(folder, 'views-copies')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-copies-'))
  views = openViewStore(file())
  const generation = views.create('tasks', 1, shapes)
  views.promote(generation)
  live = { ...generation, status: 'live' }
  copies = openViewCopies(copyFolder(), file())
})
afterEach(() => {
  views.close()
  rmSync(folder, { recursive: true, force: true })
})

const make = (month: string) => copies.make(month, new AbortController().signal)

/** Rows of so many tasks, some with ids that none had before. */
const write = (events: number): void => {
  const change = { state: 'open', due: 1, isDeleted: false } as const
  const log: Log = Array.from({ length: events }, (_, n) => ({
    position: n,
    changes: [{ ...change, queue: n % 3 === 0 ? 'a' : 'b', task: n }],
  }))
  foldOne(views, live, log)
}

const rowsOf = (store: ViewStore) => shapes.map(({ name }) => store.query(name, {}))

/** A scratch store, and an empty generation in it. */
const scratchOf = () => {
  const scratch = views.scratch()
  const empty = scratch.create('tasks', 1, shapes)
  scratch.promote(empty)
  return { scratch, empty }
}

describe('a copy of views', () => {
  it('has all rows, however many, without their past, and stays as it is', async () => {
    write(10_500)
    views.bindTo({ id: 'a log', seen: [] }, [])
    const rows = rowsOf(views)
    await make('2026-01')
    foldOne(views, live, [{ position: 10_500, changes: [] }])
    const [copied] = copies.views()
    expect(copied).toMatchObject({ projection: 'tasks', version: 1, month: '2026-01', log: 'a log' })
    const { scratch, empty } = scratchOf()
    await scratch.fill(empty, copied!)
    expect(scratch.checkpoint(empty)).toEqual({ position: 10_499n, time: null })
    expect(rowsOf(scratch)).toEqual(rows)
    scratch.close()
    expect(copies.kept()).toEqual([
      { month: '2026-01', bytes: statSync(join(copyFolder(), '2026-01.db')).size },
    ])
    expect(readdirSync(copyFolder())).toEqual(['2026-01.db'])
    const db = new DatabaseSync(join(copyFolder(), '2026-01.db'), { readOnly: true })
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'tasks\\_\\_%' ESCAPE '\\'")
      .all()
    expect(tables).toEqual([{ name: 'tasks__1' }])
    db.close()
  })

  it('gives all rows where it is deleted while they are taken over', async () => {
    write(10_500)
    await make('2026-01')
    const [copied] = copies.views()
    const { scratch, empty } = scratchOf()
    const filled = scratch.fill(empty, copied!)
    copies.remove('2026-01')
    await filled
    expect(rowsOf(scratch)).toEqual(rowsOf(views))
    scratch.close()
    expect(copies.views()).toEqual([])
  })

  it('is left when the question is given up', async () => {
    write(10_500)
    await make('2026-01')
    const { scratch, empty } = scratchOf()
    const stopping = new AbortController()
    const filled = scratch.fill(empty, copies.views()[0]!, stopping.signal)
    stopping.abort(new Error('given up'))
    await expect(filled).rejects.toThrow('given up')
    expect(scratch.checkpoint(empty).position).toBe(-1n)
    scratch.close()
  })

  it('is made while others write, of one moment', async () => {
    write(100)
    const made = make('2026-01')
    for (let position = 100; position < 200; position++) foldOne(views, live, [{ position, changes: [] }])
    await made
    expect(copies.views()[0]!.checkpoint.position).toBeGreaterThanOrEqual(99n)
  })

  it('leaves nothing where it fails, or is ended', async () => {
    const nowhere = openViewCopies(copyFolder(), join(folder, 'nothing.db'))
    await expect(nowhere.make('2026-01', new AbortController().signal)).rejects.toThrow(UnavailableError)
    const stopping = new AbortController()
    const made = copies.make('2026-01', stopping.signal)
    stopping.abort(new Error('stopped'))
    await expect(made).rejects.toThrow('stopped')
    expect(readdirSync(copyFolder())).toEqual([])
  })

  it('takes away what a killed process left, and leaves what another one writes', async () => {
    write(10)
    mkdirSync(copyFolder())
    const left = join(copyFolder(), '2025-12.db.x.partial')
    const journal = join(copyFolder(), '2025-12.db.x.partial-journal')
    for (const file of [left, journal]) writeFileSync(file, 'half of a page')
    const written = join(copyFolder(), '2026-01.db.y.partial')
    const other = new DatabaseSync(written)
    other.exec('CREATE TABLE t (a); PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    await make('2026-01')
    expect(copies.kept()).toEqual([])
    expect(existsSync(written)).toBe(true)
    other.close()
    await make('2026-01')
    expect(readdirSync(copyFolder())).toEqual(['2026-01.db'])
  })

  it('that is none has no views', () => {
    mkdirSync(copyFolder())
    writeFileSync(join(copyFolder(), '2026-01.db'), 'no database')
    writeFileSync(join(copyFolder(), 'notes.txt'), '')
    expect(copies.kept()).toEqual([{ month: '2026-01', bytes: 11 }])
    expect(copies.views()).toEqual([])
  })
})
