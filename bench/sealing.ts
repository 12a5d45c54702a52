import './as-fonds.ts'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyTree, leafHash } from '@fonds/tlog/compute'
import { openSqliteEventStore } from '../infra/event-store/sqlite/event-store.ts'
import { openProofLog } from '../infra/proof/proof-log.ts'
import { openDatabase } from '../infra/sqlite/database.ts'
import { beginSealing } from '../src/app/proof/open-sealing.ts'
import { openHead } from '../src/app/proof/open-tree.ts'
import { signersOf } from '../src/app/proof/signers.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { eventEntry } from '../src/domain/kernel/proof/event-leaf.ts'
import { leafOf } from '../src/domain/kernel/proof/leaf-of.ts'
import { ownMetadata } from '../src/domain/kernel/proof/own-metadata.ts'
import type { EventStore } from '../src/ports/event-store.ts'
import { appendItems } from './sealed-items.ts'
import { expectSame, type Line, printTable } from './table.ts'

/*
 * Sealing a log, in processor time, beside a bare loop of the same four hashes on the same events: of data, of metadata, of the leaf and
 * of one node. Both give the root. `node bench/sealing.ts [events] [rounds]`
 */

const total = Number(process.argv[2] ?? 200_000)
const rounds = Number(process.argv[3] ?? 3)
/** Of a message through all roles on two quiet cores, in µs of processor: docs/performance.md. */
const messageMicros = 92

const folder = mkdtempSync(join(tmpdir(), 'fonds-sealing-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const pages = async function* (store: EventStore) {
  for (let after = -1n; ; ) {
    const page = await orThrow(store.readStored(after, {}, 500))
    yield page
    if (page.caughtUp) return
    after = page.position
  }
}

const microsOf = async <A>(work: () => Promise<A>): Promise<readonly [micros: number, result: A]> => {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return [(user + system) / total, result]
}

const seal = async (store: EventStore, to: string): Promise<string> => {
  const files = openProofLog({ folder: to, keyFolder: join(folder, 'key'), headsFile: `${to}.db` })
  const keys = await files.makeKeys()
  const deps = { files, keys, eventStore: store, now: Date.now }
  const sealing = await beginSealing(deps, { origin: 'fonds.local/bench' })
  for await (const page of pages(store)) await sealing.add(page)
  await sealing.publish()
  sealing.close()
  const verifiers = signersOf('fonds.local/bench', keys, Date.now).map(({ verifier }) => verifier)
  return Buffer.from(openHead((await files.head())!.text, verifiers).root).toString('hex')
}

/** What the bare loop hashes is made before its clock runs. */
const prepared = async (store: EventStore) => {
  const newest = new Map<string, bigint>()
  const events: { readonly data: string; readonly metadata: string; readonly entry: Buffer }[] = []
  for await (const page of pages(store))
    for (const event of page.events) {
      const entry = Buffer.from(eventEntry(leafOf(event, newest.get(event.stream))))
      newest.set(event.stream, BigInt(events.length))
      events.push({ data: String(event.data), metadata: String(ownMetadata(event)), entry })
    }
  return events
}

const bareLoop = async (events: Awaited<ReturnType<typeof prepared>>): Promise<string> => {
  const tree = emptyTree()
  for (const { data, metadata, entry } of events) {
    hash('sha256', data, 'base64')
    hash('sha256', metadata, 'base64')
    tree.append(leafHash(entry))
  }
  return Buffer.from(tree.root()).toString('hex')
}

const bytesIn = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .reduce((sum, one) => sum + statSync(join(one.parentPath, one.name)).size, 0)

const store = openSqliteEventStore(openDatabase(join(folder, 'fonds.db'), { durability: 'normal' }))
await appendItems(store, 0, total)
await seal(store, join(folder, 'warm-up'))
const sides: { readonly ours: number; readonly bare: number }[] = []
for (let round = 0; round < rounds; round++) {
  const [ours, root] = await microsOf(() => seal(store, join(folder, `proof-${round}`)))
  // Held for the bare loop alone: collecting garbage around it is no cost of sealing.
  const events = await prepared(store)
  const [bare, expected] = await microsOf(() => bareLoop(events))
  expectSame('root of the sealed log', root, expected)
  sides.push({ ours, bare })
  if (round > 0) rmSync(join(folder, `proof-${round}`), { recursive: true })
}
await store.close()

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const ours = median(sides.map((side) => side.ours))
const bare = median(sides.map((side) => side.bare))
const tiles = join(folder, 'proof-0', 'tile')
const entryBytes = bytesIn(join(tiles, 'entries')) / total
const hashBytes = bytesIn(tiles) / total - entryBytes
const most = (what: string, value: number, limit: number, unit: string, beside = 'at most'): Line => ({
  ...{ what, ours: value, beside, theirs: limit, unit },
  ratio: limit / value,
  promise: 1,
})
printTable(`sealing ${total} events, median of ${rounds}`, [
  most('processor, an event', ours, 3 * bare, 'µs', 'three times four bare hashes'),
  most('processor, a message’s event', ours, messageMicros / 10, 'µs', 'a tenth of bench/pipeline’s message'),
  most('hash tiles, an event', hashBytes, 36, 'bytes'),
  most('entry bundles, an event', entryBytes, 250, 'bytes'),
  most('newest leaves, an event', statSync(join(folder, 'proof-0.db')).size / total, 60, 'bytes'),
])
