import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteEventStore } from '#infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '#infra/sqlite/database.ts'
import { event } from '../../contracts/new-event.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { sealAll } from './sealer.ts'
import { entriesOfLog, treeIn } from './tree-of-log.ts'

it('killed at any moment of sealing: no head that was shown is lost, and the tree equals the log’s (Q15)', async () => {
  const { chance } = useSeed()
  const folder = mkdtempSync(join(tmpdir(), 'fonds-killed-sealer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = openSqliteEventStore(openDatabase(join(folder, 'fonds.db'), { durability: 'normal' }))
  const write = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const events = Array.from({ length: 1 + Math.floor(chance() * 20) }, () => event())
      const stream = `${chance() < 0.1 ? 'duty' : 'a'}-${Math.floor(chance() * 40)}`
      if (isLeft(await store.append(stream, 'any', events)())) throw new Error('not written')
    }
  }
  let shown = 0n
  let ended = 0
  for (let round = roundsOr(12, 200); round > 0; round--) {
    await write(120)
    const sealer = join(import.meta.dirname, 'killed-sealer.ts')
    const { stdout, signal, stderr } = spawnSync(
      process.execPath,
      [sealer, folder, String(Math.floor(chance() * 150))],
      { encoding: 'utf8' },
    )
    expect([signal, stderr.replace(/.*Warning.*\n|.*--trace-\w+.*\n/g, '')]).toEqual(['SIGKILL', ''])
    const told = stdout.split('\n').slice(0, -1)
    shown = BigInt(told.at(-1) ?? shown)
    const tree = await treeIn(folder)
    expect(tree!.size >= shown).toBe(true)
    expect(tree!.isOfEntries).toBe(true)
    if (tree!.size < BigInt((await entriesOfLog(store)).length)) ended++
  }
  expect(ended).toBeGreaterThan(0)
  await sealAll(folder, store)
  expect((await treeIn(folder))!.entries).toEqual(await entriesOfLog(store))
  await store.close()
})
