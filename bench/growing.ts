import './as-fonds.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import Table from 'cli-table3'
import { openDatabase } from '../infra/sqlite/database.ts'
import { ensureTopics } from '../src/app/topics.ts'
import { itemStream } from '../src/domain/fixity/item.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { categoryOf } from '../src/domain/kernel/event.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { catchUp } from '../src/projections/runtime/catch-up.ts'
import type { Figures } from './growing-figures.ts'
import { nodeFlags } from './node-flags.ts'
import { openHome } from './system.ts'
import { expectSame } from './table.ts'

/*
 * One home that grows: what a message, an append, questions, a start and the memory cost at each size. Up to `mostItems` each event is
 * another item's first, then each is another item's next, in an order that is the same in every run. Ends with 1 where a figure of the
 * largest log is more than a fifth dearer than that of the smallest.
 * `node bench/growing.ts [events …, default 1000000 10000000]`; `npm run soak -- --minutes 0 growing` has 100,000,000.
 */

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000_000, 10_000_000]
const mostItems = 10_000_000
/** A prime: its multiples come to every item once before any comes again. */
const stride = 7_368_787
/** At once: so many are written in a transaction. */
const portion = 100_000
const slack = 1.2

const home = mkdtempSync(join(tmpdir(), 'fonds-bench-growing-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const pathOf = (item: number) =>
  `folder-${String(Math.floor(item / 200)).padStart(6, '0')}/file-${String(item).padStart(8, '0')}.tif`
const metadata = JSON.stringify({ actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 2 })

/** Events by plain statements: how fast the log is filled is another bench's question. Those of `nth` on. */
const fill = (nth: number, upTo: number): void => {
  const { writer, reader } = openDatabase(join(home, 'fonds.db'))
  const add = writer.prepare('INSERT INTO streams (name, category, revision) VALUES (?, ?, 0)')
  const find = writer.prepare('SELECT id, revision FROM streams WHERE name = ?')
  const move = writer.prepare('UPDATE streams SET revision = ? WHERE id = ?')
  const write = writer.prepare(
    'INSERT INTO events (stream_id, revision, id, type, recorded_at, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const append = (n: number) => {
    const item = n < mostItems ? n : (n * stride) % mostItems
    const stream = itemStream({ store: 'bench', path: pathOf(item) })
    const [id, revision] = n < mostItems ? added(stream) : moved(stream)
    const checksums = [{ algorithm: 'sha-256', value: n.toString(16).padStart(64, '0') }]
    const times = { at: '2026-01-01T00:00:00.000Z', dueAt: '2099-01-01T00:00:00.000Z' }
    const data = JSON.stringify({ checksums, size: 12345, recordedFrom: contentTopic.name, ...times })
    write.run(id, revision, `${n}`, 'ContentRecorded', Date.now(), data, metadata)
  }
  const added = (stream: string) => [Number(add.run(stream, categoryOf(stream)).lastInsertRowid), 0] as const
  const moved = (stream: string) => {
    const { id, revision } = find.get(stream) as { readonly id: number; readonly revision: number }
    move.run(revision + 1, id)
    return [id, revision + 1] as const
  }
  writer.exec('BEGIN')
  for (let n = nth; n < upTo; n++) append(n)
  writer.exec('COMMIT')
  reader.close()
  writer.close()
}

/** In a process of its own, which has read nothing before. */
const figuresAt = async (size: number): Promise<Figures> => {
  const child = fork(join(import.meta.dirname, 'growing-figures.ts'), [home, `${size}`], {
    execArgv: nodeFlags,
  })
  const [[figures], [code]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
  expectSame('exit code of bench/growing-figures.ts', code, 0)
  return figures
}

const grow = async (from: number, to: number): Promise<void> => {
  const system = await openHome(home)
  await ensureTopics(system)
  for (let n = from; n < to; n += portion) {
    fill(n, Math.min(to, n + portion))
    await catchUp({ ...system, projections: [fixity] })
    if ((n / portion) % 10 === 9) console.log(`${(n + portion).toLocaleString('en')} events`)
  }
  await system.close()
}

const columns: Figures[] = []
for (const [i, size] of sizes.entries()) {
  await grow(sizes[i - 1] ?? 0, size)
  const figures = await figuresAt(size)
  console.log(JSON.stringify({ size, ...figures }))
  columns.push(figures)
}

const table = new Table({
  head: ['', ...sizes.map((size) => `${size.toLocaleString('en')} events`), 'last to first'],
  style: { head: [], border: [] },
})
let isFlat = true
for (const name of Object.keys(columns[0]!) as (keyof Figures)[]) {
  const ratio = columns.at(-1)![name] / columns[0]![name]
  isFlat &&= ratio <= slack
  table.push([
    name,
    ...columns.map((figures) => figures[name].toPrecision(4)),
    `${ratio.toFixed(2)} ${ratio <= slack ? '' : 'GROWS'}`,
  ])
}
console.log(table.toString())
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; the same rows in every run`)
if (!isFlat) process.exitCode = 1
