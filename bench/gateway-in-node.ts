import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { v7 as uuid } from 'uuid'
import { roles } from '../src/app/config/settings.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'
import { serveInProcess } from './gateway-process.ts'
import { openRaw, type RawEventStoreDb } from './raw-eventstoredb.ts'
import { openHome } from './system.ts'
import { interleaved, median, medianRatio, printTable, rate } from './table.ts'

/*
 * A serial append of another program through the gateway of a node with all roles, beside the gateway alone: what a commit
 * costs that concerns nobody, and one that a view folds, beside that fold by itself. Commits do not wait for the disk, whose time
 * would hide it.
 */

const rounds = 9
const appends = 800

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const startNode = async (home: string) => {
  const [gateway, port] = [await freePort(), await freePort()]
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, '../src/main.ts'),
      'start',
      '--roles',
      roles.join(','),
      '--gateway',
      String(gateway),
      '--port',
      String(port),
    ],
    {
      env: { ...process.env, FONDS_HOME: home, FONDS_DURABILITY: 'normal' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  for await (const line of createInterface(child.stderr)) if (line.includes('Ctrl-C stops')) break
  child.stderr.resume()
  return {
    address: `esdb://127.0.0.1:${gateway}?tls=false`,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 2 }
const event = { type: 'Benched', data: { text: 'x'.repeat(200) }, metadata }

const serial = (plain: RawEventStoreDb) => () =>
  rate(appends, async () => {
    for (let n = 0; n < appends; n++) await plain.append(`other-${n % 200}`, 'any', [event])
  })

const at = new Date().toISOString()
const recorded = {
  type: 'ContentRecorded',
  data: {
    at,
    checksums: [{ algorithm: 'md5', value: '0'.repeat(32) }],
    dueAt: at,
    recordedFrom: 'bench',
    size: 2,
  },
  metadata,
}

/** Items that are new, and due: fixity folds each. */
const serialItems = (plain: RawEventStoreDb) => {
  let item = 0
  return () =>
    rate(appends, async () => {
      for (let n = 0; n < appends; n++) await plain.append(`fixity-bench/${item++}`, 'any', [recorded])
    })
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
const node = await startNode(join(folder, 'home'))
const alone = await serveInProcess(join(folder, 'alone.db'), 'normal')
const [inNode, bare] = [openRaw(node.address), openRaw(alone.address)]
const [ours, theirs] = (await interleaved(rounds + 1, serial(inNode), serial(bare))).map((one) =>
  one.slice(1),
)
const [items, bareItems] = (await interleaved(rounds + 1, serialItems(inNode), serialItems(bare))).map(
  (one) => one.slice(1),
)
for (const one of [inNode, bare]) one.close()
await Promise.all([node.stop(), alone.stop()])

/** Seconds to fold one of these events in a transaction of its own. */
const foldAlone = async (): Promise<number> => {
  const system = await openHome(join(folder, 'home'))
  const before = performance.now()
  const { position } = await rebuild(fixity, { ...system, batchSize: 1 })
  const seconds = (performance.now() - before) / 1000
  if (position < 0n) throw new Error('nothing was folded')
  await system.close()
  return seconds / ((rounds + 1) * appends)
}
const foldSeconds = await foldAlone()
rmSync(folder, { recursive: true, force: true })
printTable('gateway in a node with all roles', [
  {
    what: 'an append that concerns nobody, one after the other',
    ours: median(ours!),
    beside: 'the gateway alone',
    theirs: median(theirs!),
    unit: '/s',
    ratio: medianRatio(ours!, theirs!),
    promise: 0.77,
  },
  {
    what: 'one that fixity folds',
    ours: median(items!),
    beside: 'the gateway alone, and 1.3 of it with the fold',
    theirs: 1 / (1.3 / median(bareItems!) + foldSeconds),
    unit: '/s',
    promise: 1,
  },
])
console.log(`to fold one by itself takes ${(foldSeconds * 1000).toFixed(2)} ms`)
