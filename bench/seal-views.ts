import './as-fonds.ts'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyTree } from '@fonds/tlog/compute'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { proveRow } from '../src/app/proof/views/row-proof.ts'
import type { StoredShape } from '../src/ports/view-store.ts'
import { inSnapshot, sealOf } from '../src/workflows/system/seal-view.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Sealing the rows of a view as items of fixity have them, in processor time, beside a bare loop of the two hashes of each row. Memory must
 * not grow with the rows. `node bench/seal-views.ts [rows …]`
 */

const counts = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'fonds-seal-views-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const shape = {
  name: 'items',
  description: 'Items.',
  key: ['store', 'path'],
  columns: {
    store: 'text',
    path: 'text',
    size: 'integer',
    state: 'text',
    checkedAt: 'text',
    sums: 'json',
    note: 'text',
  },
} as const satisfies StoredShape

/** In an order of its own, as names come. */
const rowOf = (n: number) => ({
  store: 'main',
  path: `folder-${(n * 7919) % 1000}/file-${n}.tif`,
  size: n,
  state: 'verified',
  checkedAt: '2026-01-31T12:00:00.000Z',
  sums: [{ algorithm: 'sha-256', value: hash('sha256', `${n}`) }],
  note: null,
})

const cpuOf = async <A>(work: () => Promise<A>): Promise<readonly [micros: number, result: A]> => {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return [user + system, result]
}

const lines = []
for (const count of counts.length > 0 ? counts : [100_000, 1_000_000]) {
  const views = openViewStore(join(folder, `${count}.db`))
  const generation = views.create('bench', 1, [shape])
  for (let n = 0; n < count; n += 10_000)
    views.fold(generation, BigInt(n) - 1n, { position: BigInt(n) + 9999n, time: null }, ({ items }) => {
      for (let i = n; i < n + 10_000; i++) items!.put(rowOf(i))
    })
  views.promote(generation)
  await inSnapshot(views, (snapshot) => sealOf(snapshot, 'items'))
  global.gc?.()
  const before = process.memoryUsage.rss()
  const [micros, sealed] = await cpuOf(() => inSnapshot(views, (snapshot) => sealOf(snapshot, 'items')))
  const grown = (process.memoryUsage.rss() - before) / 1024 ** 2
  expectSame('rows', sealed.rows, count)
  const [proving] = await cpuOf(() =>
    inSnapshot(views, (snapshot) =>
      proveRow(snapshot, 'items', ['main', rowOf(count - 1).path], BigInt(count)),
    ),
  )
  const [bare] = await cpuOf(async () => {
    const tree = emptyTree()
    for (let n = 0; n < count; n++) tree.append(hash('sha256', `\0${JSON.stringify(rowOf(n))}`, 'buffer'))
  })
  const what = `${count.toLocaleString('en')} rows`
  lines.push(
    {
      what: `${what}, sealing a row`,
      ours: micros / count,
      beside: 'two bare hashes',
      theirs: bare / count,
      unit: 'µs',
    },
    {
      what: `${what}, proving one, a row passed`,
      ours: proving / count,
      beside: 'sealing',
      theirs: micros / count,
      unit: 'µs',
    },
    {
      what: `${what}, memory more`,
      ours: grown,
      beside: 'at most',
      theirs: 64,
      unit: 'MB',
      ratio: 64 / Math.max(1, grown),
      promise: 1,
    },
  )
  views.close()
}
printTable('sealing views', lines)
