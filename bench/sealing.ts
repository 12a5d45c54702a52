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
 * Sealing a log, in processor time, beside bare loops of the same four hashes on the same events: of data, of metadata, of the leaf and
 * of one node. All give the root. They take turns, and each line is the median of the rounds' ratios, so that what others do on the
 * machine meets all of them. `node bench/sealing.ts [events] [rounds]`
 */

const total = Number(process.argv[2] ?? 100_000)
const rounds = Number(process.argv[3] ?? 9)
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

type Prepared = Awaited<ReturnType<typeof prepared>>

/** Node's own way: a digest that goes on to be hashed is bytes. Levels of the tree as rows. */
const plainLoop = async (events: Prepared): Promise<string> => {
  const bytesOf = (text: Uint8Array): Uint8Array => hash('sha256', text, 'buffer')
  const node = (left: Uint8Array, right: Uint8Array) => bytesOf(Buffer.concat([Buffer.of(1), left, right]))
  const edge: (Uint8Array | undefined)[] = []
  for (const { data, metadata, entry } of events) {
    hash('sha256', data, 'base64')
    hash('sha256', metadata, 'base64')
    let here = bytesOf(Buffer.concat([Buffer.of(0), entry]))
    let level = 0
    for (; edge[level]; level++) {
      here = node(edge[level]!, here)
      edge[level] = undefined
    }
    edge[level] = here
  }
  const root = edge.filter((one) => one !== undefined).reduce((right, left) => node(left, right))
  return Buffer.from(root).toString('hex')
}

/** Nothing but what the tree of the package does: digests are never buffers of their own, which takes half of the time. */
const packageLoop = async (events: Prepared): Promise<string> => {
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
const sides: { readonly ours: number; readonly plain: number; readonly fast: number }[] = []
for (let round = 0; round < rounds; round++) {
  // Each round's files stay: ext4 looks long for inodes where many were deleted within five seconds.
  const [ours, root] = await microsOf(() => seal(store, join(folder, `proof-${round}`)))
  // Held for the bare loops alone: collecting garbage around it is no cost of sealing.
  const events = await prepared(store)
  const [plain, expected] = await microsOf(() => plainLoop(events))
  const [fast, again] = await microsOf(() => packageLoop(events))
  expectSame('root of the sealed log', root, expected)
  expectSame('root of the sealed log', root, again)
  sides.push({ ours, plain, fast })
}
await store.close()

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const ours = median(sides.map((side) => side.ours))
/** The median of the ratios of a round, at the median of ours. */
const beside = (bare: 'plain' | 'fast'): number => ours * median(sides.map((side) => side[bare] / side.ours))
const tiles = join(folder, 'proof-0', 'tile')
const entryBytes = bytesIn(join(tiles, 'entries')) / total
const hashBytes = bytesIn(tiles) / total - entryBytes
const most = (what: string, value: number, limit: number, unit: string, beside = 'at most'): Line => ({
  ...{ what, ours: value, beside, theirs: limit, unit },
  ratio: limit / value,
})
const promised = (line: Line): Line => ({ ...line, promise: 1 })
/** The promise is older than our way to hash, which makes its own bound lower. */
const threeTimes = (bare: 'plain' | 'fast', what: string): Line =>
  most('processor, an event', ours, 3 * beside(bare), 'µs', `three times four bare hashes, ${what}`)
printTable(`sealing ${total} events, median of ${rounds}`, [
  promised(threeTimes('plain', 'as Node gives bytes')),
  threeTimes('fast', 'as ours makes them'),
  ...[
    most(
      'processor, a message’s event',
      ours,
      messageMicros / 10,
      'µs',
      'a tenth of bench/pipeline’s message',
    ),
    most('hash tiles, an event', hashBytes, 36, 'bytes'),
    most('entry bundles, an event', entryBytes, 250, 'bytes'),
    most('newest leaves, an event', statSync(join(folder, 'proof-0.db')).size / total, 60, 'bytes'),
  ].map(promised),
])
