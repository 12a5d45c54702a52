import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNote, tilePath } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partialOf } from '#src/app/proof/open-tree.ts'
import { eventEntry } from '#src/domain/kernel/proof/event-leaf.ts'
import { leafOf } from '#src/domain/kernel/proof/leaf-of.ts'
import { originEntry } from '#src/domain/kernel/proof/origin-entry.ts'
import type { StoredEvent } from '#src/domain/kernel/stored-event.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { useFaultyFs } from '../../fakes/faulty-fs.ts'
import { openIn, origin, sealAll, sealIn } from './sealer.ts'
import { entriesOfLog, proofLogIn, rootOf, treeIn } from './tree-of-log.ts'

let folder: string
let store: ReturnType<typeof fakeEventStore>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-proof-'))
  store = fakeEventStore({ gap: 3n })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = async (stream: string, count = 1) => {
  const events = Array.from({ length: count }, (_, n) => event('T', { n }))
  if (isLeft(await store.append(stream, 'any', events)())) throw new Error('not written')
}
const filesIn = (part: string) =>
  readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(join(folder, part).length + 1))
    .sort()

describe('sealing the log', () => {
  it('has the root of the log’s events, whenever it stopped (Q12)', async () => {
    for (const count of [0, 1, 2, 300, 1, 255, 256]) {
      if (count > 0) await write(`a-${count % 3}`, count)
      await write('duty-sealer')
      await write('b-1')
      await sealAll(folder, store)
      const tree = await treeIn(folder)
      const entries = await entriesOfLog(store)
      expect(tree).toMatchObject({ origin, size: BigInt(entries.length), root: rootOf(entries) })
      expect(tree!.entries).toEqual(entries)
    }
  })

  it('an older head in the place of the newest is not gone on from: that would be a second history (Q15)', async () => {
    await write('a-1', 5)
    await sealAll(folder, store)
    const checkpoint = join(folder, 'proof/checkpoint')
    const older = readFileSync(checkpoint)
    await write('a-1', 3)
    await sealAll(folder, store)
    writeFileSync(checkpoint, older)
    await expect(sealIn(folder, store)).rejects.toThrow(
      'is of 5 leaves, and this home signed 8 under the same name',
    )
    expect(readFileSync(checkpoint).equals(older)).toBe(true)
  })

  it('an empty log is signed as it is: others can enrol it (Q105)', async () => {
    ;(await sealIn(folder, store)).close()
    expect(await treeIn(folder)).toMatchObject({ size: 0n, entries: [] })
  })

  it('a head is signed by Ed25519 under the origin, and by ML-DSA-44 with the time (Q25)', async () => {
    await write('a-1')
    await sealAll(folder, store)
    const { text, signatures } = parseNote((await proofLogIn(folder).head())!.text)
    expect(text.split('\n')).toHaveLength(4)
    expect(signatures.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      [origin, 64],
      [origin, 8 + 2420],
    ])
    expect(Buffer.from(signatures[1]!.bytes).readBigUInt64BE()).toBe(1000n)
  })

  it('keys are for their user alone, and stay (Q27)', async () => {
    const files = proofLogIn(folder)
    expect(await files.keys()).toBeUndefined()
    const made = await files.makeKeys()
    const again = await files.makeKeys()
    expect(again.ed25519.equals(made.ed25519)).toBe(true)
    expect(again.mlDsa44!.equals(made.mlDsa44!)).toBe(true)
    for (const file of filesIn('proof-key'))
      expect(statSync(join(folder, 'proof-key', file)).mode & 0o777).toBe(0o600)
    writeFileSync(join(folder, 'proof-key', 'ed25519.pem'), 'no key')
    await expect(files.keys()).rejects.toThrow(/ed25519.pem holds no private key of type ed25519/)
  })

  it('partial tiles of each head stay until the full one is there (Q102)', async () => {
    const sizes: bigint[] = []
    for (let n = 0; n < 30; n++) {
      await write('a-1', 17)
      await sealAll(folder, store, { perRead: 1000, perHead: 1n })
      sizes.push(BigInt(17 * (n + 1)))
      const size = sizes.at(-1)!
      const kept = sizes.flatMap((one) =>
        partialOf(one).filter(({ index, level }) =>
          level === 'entries' || level === 0 ? index >= size / 256n : true,
        ),
      )
      const partial = filesIn('proof').filter((file) => file.includes('.p/'))
      expect(partial).toEqual([...new Set(kept.map(tilePath))].sort())
    }
    expect(filesIn('proof').filter((file) => !file.includes('.p/'))).toEqual([
      'checkpoint',
      'tile/0/000',
      'tile/entries/000',
    ])
  })

  it('the newest leaves of streams are found again from the entries, where their file is gone or damaged', async () => {
    await write('a-1', 3)
    await write('x'.repeat(20_000), 2)
    await sealAll(folder, store)
    rmSync(join(folder, 'proof-heads.db'))
    await write('x'.repeat(20_000), 2)
    await write('a-1', 2)
    await sealAll(folder, store)
    writeFileSync(join(folder, 'proof-heads.db'), 'damaged'.repeat(1000))
    await write('a-1')
    await sealAll(folder, store)
    expect((await treeIn(folder))!.entries).toEqual(await entriesOfLog(store))
  })

  it('one process at a time extends a tree', async () => {
    const sealing = await sealIn(folder, store)
    await expect(sealIn(folder, store)).rejects.toThrow(/locked/)
    sealing.close()
    await sealAll(folder, store)
  })

  it('a head that another wrote meanwhile is not replaced (Q15)', async () => {
    await write('a-1')
    const sealing = await sealIn(folder, store)
    const { text } = (await proofLogIn(folder).head())!
    const other = text.replace(/\n— [^\n]*\n$/, '\n')
    writeFileSync(join(folder, 'proof', 'checkpoint'), other)
    const page = await store.readStored(-1n, {}, 10)()
    if (isLeft(page)) throw new Error('unreadable')
    await sealing.add(page.right)
    await expect(sealing.publish()).rejects.toThrow(/another process has written/)
    sealing.close()
    expect(readFileSync(join(folder, 'proof', 'checkpoint'), 'utf8')).toBe(other)
  })

  it('nothing is shown before it is on disk (Q15)', async () => {
    const disk = useFaultyFs()
    await write('a-1', 600)
    await sealAll(folder, store, { perRead: 100, perHead: 250n })
    const made = disk.made().filter(({ path }) => path?.startsWith(join(folder, 'proof')))
    let heads = 0
    made.forEach(({ call, path }, shown) => {
      if (call !== 'rename' || !/checkpoint/.test(path!)) return
      heads++
      const before = made.slice(0, shown)
      const isSynced = (file: string, from: number) =>
        before.slice(from).some((one) => one.call === 'sync' && one.path === file)
      before.forEach((one, i) => {
        if (one.call !== 'write' || !/\/tile\//.test(one.path!)) return
        expect([one.path, isSynced(one.path!, i)]).toEqual([one.path, true])
        const above = one.path!.slice(0, one.path!.lastIndexOf('/'))
        expect([above, isSynced(above, i)]).toEqual([above, true])
      })
      expect(made.slice(shown).some((one) => one.call === 'sync' && one.path === join(folder, 'proof'))).toBe(
        true,
      )
    })
    expect(heads).toBeGreaterThan(2)
  })
})

describe('a folder that is not what was signed', () => {
  it.each([
    ['tile/0/000.p/5', 'the tiles in'],
    ['tile/entries/000.p/5', 'tile/entries/000.p/5 in'],
  ])('%s is damaged: nothing is added', async (file, says) => {
    await write('a-1', 5)
    await sealAll(folder, store)
    const path = join(folder, 'proof', file)
    const bytes = readFileSync(path)
    bytes[0]! ^= 1
    writeFileSync(path, bytes)
    await expect(sealIn(folder, store)).rejects.toThrow(says)
    for (const most of [bytes.length - 1, 32, 0]) {
      writeFileSync(path, bytes.subarray(0, most))
      await expect(sealIn(folder, store)).rejects.toThrow(
        expect.objectContaining({
          name: 'BrokenTree',
          message: expect.stringMatching(`^${file} in .* is damaged: .*${most} bytes`),
        }),
      )
    }
    rmSync(path)
    await expect(sealIn(folder, store)).rejects.toThrow(/lacks/)
  })

  it('a head of another key is not extended', async () => {
    await write('a-1', 5)
    await sealAll(folder, store)
    rmSync(join(folder, 'proof-key'), { recursive: true })
    await proofLogIn(folder).makeKeys()
    await expect(sealIn(folder, store)).rejects.toThrow(/signed by no key that is known/)
  })
})

describe('a log that is behind its own tree (Q15)', () => {
  const older = async (count: number, more: (store: typeof fakeEventStore.prototype) => Promise<void>) => {
    const all = await store.readStored(-1n, {}, count)()
    if (isLeft(all)) throw new Error('unreadable')
    const copy = fakeEventStore({ gap: 3n })
    for (const { stream, ...one } of all.right.events) await copy.appendStored(stream, 'any', [one])()
    await more(copy)
    return copy
  }
  beforeEach(async () => {
    for (let n = 0; n < 5; n++) await write(`a-${n % 2}`, 4)
    await write('new-1')
    await sealAll(folder, store)
  })

  it.each<[string, number, string[]]>([
    ['an older copy', 10, []],
    [
      'an older copy that was written to since, in the same streams',
      10,
      ['a-0', 'a-1', 'a-0', 'a-1', 'new-1'],
    ],
    ['an older copy that has grown longer', 10, Array.from({ length: 30 }, (_, n) => `b-${n}`)],
    ['an empty log', 0, []],
    ['the log without its last event', 20, []],
  ])('%s: extends nothing, with or without the file of heads', async (_, count, streams) => {
    const copy = await older(count, async (to) => {
      for (const stream of streams) await to.append(stream, 'any', [event()])()
    })
    const before = await treeIn(folder)
    expect(await openIn(folder, copy)).toMatchObject({ missing: { leaf: { type: 'T' } } })
    rmSync(join(folder, 'proof-heads.db'))
    expect(await openIn(folder, copy)).toMatchObject({ missing: { leaf: { type: 'T' } } })
    expect(await treeIn(folder)).toEqual(before)
  })

  it('a whole copy with other positions is not behind: the tree goes on', async () => {
    const copy = await older(1000, async () => {})
    await write('a-1')
    await copy.append('a-1', 'any', [event('Later')])()
    await sealAll(folder, copy)
    expect((await treeIn(folder))!.entries).toEqual(await entriesOfLog(copy))
  })

  it.each([true, false])(
    'events that were deleted on somebody’s word are no gap (heads kept: %s)',
    async (kept) => {
      await store.deleteStream('new-1', 'any', 'tombstone')()
      await store.setMetadata('a-0', { $maxCount: 1 })()
      if (!kept) rmSync(join(folder, 'proof-heads.db'))
      const { entries } = (await treeIn(folder))!
      await write('a-1')
      await sealAll(folder, store)
      const grown = (await treeIn(folder))!
      expect(grown.entries.slice(0, -1)).toEqual(entries)
      expect(grown.entries.at(-1)).toMatch(/\n"a-1"\n8\n/)
    },
  )

  it('a person begins a new tree: its leaf 0 names the one before, whose files stay', async () => {
    const before = (await treeIn(folder))!
    const copy = await older(10, async () => {})
    const earlier = { origin, size: String(before.size), root: before.root }
    const id = uuid()
    const next = await openIn(folder, copy, { origin: `${origin}/2`, instead: { earlier, event: id } })
    if ('missing' in next) throw new Error('not begun')
    next.close()
    await sealAll(folder, copy)
    const first = originEntry(earlier, id)
    const entries = await entriesOfLog(copy, [first])
    expect(await treeIn(folder)).toMatchObject({ origin: `${origin}/2`, entries, isOfEntries: true })
    expect(filesIn(join('proof', 'earlier', 'archive.example_log'))).toContain('checkpoint')
    await copy.append('a-1', 'any', [event()])()
    rmSync(join(folder, 'proof-heads.db'))
    await sealAll(folder, copy)
    expect((await treeIn(folder))!.entries).toEqual(await entriesOfLog(copy, [first]))
  })
})

it('an event of another place, content or stream has another leaf', async () => {
  await write('a-1')
  const page = await store.readStored(-1n, {}, 1)()
  if (isLeft(page)) throw new Error('unreadable')
  const [one] = page.right.events
  const changed: Partial<StoredEvent>[] = [
    { data: '{"n":1}' },
    { metadata: '{}' },
    { type: 'U' },
    { stream: 'a-2' },
    { revision: 1n },
    { id: uuid() },
    { recordedAt: '2020-01-01T00:00:00.000Z' },
  ]
  const entry = eventEntry(leafOf(one!, undefined))
  for (const part of changed) expect(eventEntry(leafOf({ ...one!, ...part }, undefined))).not.toBe(entry)
  expect(eventEntry(leafOf({ ...one!, position: 77n }, undefined))).toBe(entry)
})
