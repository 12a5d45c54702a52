import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { checkNextPart } from '#src/app/proof/check/rolling-check.ts'
import { signersOf } from '#src/app/proof/signers.ts'
import { HOUR } from '#src/domain/kernel/time.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { origin, sealAll } from './sealer.ts'
import { proofLogIn } from './tree-of-log.ts'

let folder: string
let store: EventStore
let now: number
const open = () => {
  store = openSqliteEventStore(openDatabase(join(folder, 'fonds.db'), { durability: 'normal' }))
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-rolling-'))
  now = Date.parse('2026-01-01T00:00:00.000Z')
  open()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = async (count: number) => {
  for (let n = 0; n < count; n += 100) {
    const events = Array.from({ length: 100 }, () => event('T', { n: 1 }))
    if (isLeft(await store.append(`a-${(n / 100) % 7}`, 'any', events)())) throw new Error('not written')
  }
  await sealAll(folder, store, { perRead: 1000, perHead: 10_000n })
}
const after = async (millis: number) => {
  now += millis
  const files = proofLogIn(folder)
  const verifiers = signersOf(origin, (await files.keys())!, () => 0).map(({ verifier }) => verifier)
  const head = (await files.head())!.text
  const { signal } = new AbortController()
  return checkNextPart({
    eventStore: store,
    files,
    verifiers,
    head,
    now: new Date(now).toISOString(),
    signal,
  })
}
const bySql = async (sql: string) => {
  await store.close()
  const db = new DatabaseSync(join(folder, 'fonds.db'))
  db.exec('DROP TRIGGER IF EXISTS events_never_change; DROP TRIGGER IF EXISTS events_never_go')
  db.exec(sql)
  db.close()
  open()
}

it('a part each hour, until all was compared; then from the first on', async () => {
  await write(2500)
  expect(await after(0)).toMatchObject({ next: '1024', wholeAt: null, differences: [] })
  expect(await after(HOUR - 1)).toMatchObject({ next: '1024' })
  expect(await after(1)).toMatchObject({ next: '2048', wholeAt: null })
  const whole = await after(HOUR)
  expect(whole).toMatchObject({ next: '0', wholeAt: new Date(now).toISOString(), differences: [] })
  expect(await after(HOUR)).toMatchObject({ next: '1024', wholeAt: whole!.wholeAt })
})

it('a change is found when its part comes, with all others of the log; it stays until all parts were well again', async () => {
  await write(2500)
  const edit = (from: string, to: string) =>
    bySql(`UPDATE events SET type = '${to}' WHERE type = '${from}' AND position IN
      (SELECT position FROM events ORDER BY position LIMIT -1 OFFSET 1) AND revision IN (7, 150)`)
  await edit('T', 'U')
  const found = await after(0)
  expect(found!.differences.length).toBeGreaterThan(7)
  expect(found!.differences[0]).toMatch(
    /^revision 7 of a-0 is not what was sealed as leaf 7: its type was changed$/,
  )
  await edit('U', 'T')
  expect((await after(HOUR))!.differences).toEqual(found!.differences)
  expect((await after(HOUR))!.differences).toEqual(found!.differences)
  expect((await after(HOUR))!.differences).toEqual([])
})

it.each([
  [
    'removed at the edge of a part',
    `DELETE FROM events WHERE revision = 24 AND stream_id = (SELECT id FROM streams WHERE name = 'a-3')`,
  ],
  ['removed in the last part', `DELETE FROM events WHERE position = (SELECT max(position) FROM events)`],
])('an event %s is found within a pass', async (_, sql) => {
  await write(2500)
  await bySql(sql)
  const seen = [await after(0), await after(HOUR), await after(HOUR)].flatMap((state) => state!.differences)
  expect(new Set(seen).size).toBe(1)
  expect(seen[0]).toContain('and is not in the log')
})

it('damaged entries are a difference; state that is damaged, or of another tree, begins again', async () => {
  await write(300)
  await after(0)
  writeFileSync(join(folder, 'proof-check.json'), '{')
  expect(await after(HOUR)).toMatchObject({ next: '0', differences: [] })
  const path = join(folder, 'proof/tile/entries/000')
  writeFileSync(path, readFileSync(path).subarray(1))
  expect((await after(HOUR))!.differences).toEqual([expect.stringContaining('tile/entries/000 in')])
})

it.each([
  ['tile/0/001', 'cut', /^tile\/0\/001 in .* is damaged: it has 8191 bytes, and 256 hashes take 8192$/],
  ['tile/0/001', 'changed', /^tile\/0\/001 in .* does not have the hashes of its entries$/],
  ['tile/1/000.p/9', 'cut', /^tile\/1\/000.p\/9 in .* is damaged: it has 287 bytes, and 9 hashes take 288$/],
  ['tile/1/000.p/9', 'changed', /^a tile of level 1 in .* does not have the hash of leaves 0 to 255$/],
] as const)(
  '%s that was %s is a difference, though all entries are as they were sealed',
  async (file, how, says) => {
    await write(2500)
    const path = join(folder, 'proof', file)
    const bytes = readFileSync(path)
    bytes[0]! ^= how === 'changed' ? 1 : 0
    writeFileSync(path, how === 'cut' ? bytes.subarray(1) : bytes)
    expect((await after(0))!.differences).toEqual([expect.stringMatching(says)])
  },
)
