import './as-fonds.ts'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openProofLog } from '../infra/proof/proof-log.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { beginSealing } from '../src/app/proof/open-sealing.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { appendItems } from './sealed-items.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Memory of a process that seals a log from its beginning, as the log grows. `node bench/sealing-memory.ts [events …]`, the
 * smallest first; by default a million and ten millions, which takes 10 GB of disk.
 */

const open = (home: string) =>
  openSqliteEventStore(openDatabase(join(home, 'fonds.db'), { durability: 'normal' }))

const seal = async (home: string, folder: string): Promise<void> => {
  const store = open(home)
  const files = openProofLog({ folder, keyFolder: `${folder}-key`, headsFile: `${folder}.db` })
  const keys = await files.makeKeys()
  const sealing = await beginSealing(
    { files, keys, eventStore: store, now: Date.now },
    { origin: 'fonds.local/bench' },
  )
  const began = performance.now()
  for (;;) {
    const page = await orThrow(store.readStored(sealing.position, {}, 1000))
    await sealing.add(page)
    if (page.caughtUp) break
  }
  await sealing.publish()
  console.log(
    JSON.stringify({
      leaves: Number(sealing.size),
      megabytes: process.resourceUsage().maxRSS / 1024,
      seconds: (performance.now() - began) / 1000,
    }),
  )
  sealing.close()
  await store.close()
}

const measure = async (sizes: readonly number[]): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'fonds-sealing-memory-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  const found: { readonly leaves: number; readonly megabytes: number; readonly seconds: number }[] = []
  let filled = 0
  for (const size of sizes) {
    const store = open(home)
    await appendItems(store, filled, size)
    await store.close()
    filled = size
    const folder = join(home, `proof-${size}`)
    const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, '--seal', home, folder], {
      encoding: 'utf8',
    })
    if (stdout === '') throw new Error(stderr)
    found.push(JSON.parse(stdout))
    expectSame('sealed leaves', found.at(-1)!.leaves, size)
    rmSync(folder, { recursive: true })
  }
  const [first] = found
  printTable(
    `sealing from the beginning, peak of memory beside that of ${first!.leaves} events`,
    found.slice(1).map(({ leaves, megabytes, seconds }) => ({
      what: `${leaves} events, ${Math.round((seconds / leaves) * 1e6)} µs each (${Math.round((first!.seconds / first!.leaves) * 1e6)})`,
      ours: megabytes,
      beside: `a fifth more than with ${first!.leaves}`,
      theirs: first!.megabytes * 1.2,
      unit: 'MB',
      ratio: (first!.megabytes * 1.2) / megabytes,
      promise: 1,
    })),
  )
}

const [, , flag, home, folder] = process.argv
if (flag === '--seal') await seal(home!, folder!)
else await measure(process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000_000, 10_000_000])
