import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseNote } from '@fonds/tlog'
import { cosignedAt } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultConfig } from '#src/app/config/settings.ts'
import { examineHead } from '#src/app/proof/examine-head.ts'
import { runSealer, type SealerState } from '#src/app/proof/run-sealer.ts'
import { treeStream } from '#src/domain/kernel/proof/tree-events.ts'
import { DAY, SECOND } from '#src/domain/kernel/time.ts'
import { setTreeMark, treeMark } from '#src/processors/runtime/tree-mark.ts'
import { event } from '../../contracts/new-event.ts'
import { type FakeClock, fakeClock, turns, until } from '../../fakes/clock.ts'
import { type FakeEventStore, fakeEventStore } from '../../fakes/event-store.ts'
import { entriesOfLog, proofLogIn, treeIn } from './tree-of-log.ts'

let folder: string
let clock: FakeClock
let store: FakeEventStore
let state: SealerState
let stopping: AbortController
let ended: Promise<unknown>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-sealer-'))
  clock = fakeClock('2026-01-01T00:00:00.000Z')
  store = fakeEventStore({ now: clock.now })
  ended = Promise.resolve()
  stopping = new AbortController()
})
afterEach(async () => {
  stopping.abort()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const systemOn = (eventStore = store) => ({
  eventStore,
  clock,
  log: pino({ level: 'silent' }),
  config: { ...defaultConfig(folder), proofName: 'archive.example' },
  proofLog: async () => proofLogIn(folder),
  proofPolicy: async () => undefined,
  proofFilesAt: () => async () => undefined,
  postCheckpoint: async () => ({ status: 404, body: '' }),
  timeStamper: undefined,
})
const start = (eventStore = store) => {
  stopping = new AbortController()
  const { signal } = stopping
  const term = { signal, isLeader: () => !signal.aborted }
  ended = runSealer(systemOn(eventStore), term, (now) => {
    state = now
  })
  return ended
}
const stop = async () => {
  stopping.abort()
  await ended
}
const write = async (stream = 'a-1', to = store) => {
  if (isLeft(await to.append(stream, 'any', [event()])())) throw new Error('not written')
}
const headText = async () => (await proofLogIn(folder).head())?.text
const sized = async (size: bigint) => {
  let found: bigint | undefined
  await until(() => {
    void treeIn(folder).then(
      (tree) => {
        found = tree?.size
      },
      () => undefined,
    )
    return found === size && clock.sleepers() > 0
  }, `a tree of ${size}`)
}

describe('the sealer', () => {
  it('begins a tree of its own, signs what there is, and marks the log (Q14)', async () => {
    await write()
    start()
    await sized(0n)
    await clock.advance(10 * SECOND)
    await sized(1n)
    const tree = (await treeIn(folder))!
    expect(tree.origin).toBe('archive.example/the_fake_log/20260101T000000Z')
    expect(await treeMark(store)).toBe(tree.origin)
    expect(state).toEqual({ kind: 'sealing', origin: tree.origin, size: 1n, doubts: [] })
    expect(await examineHead(systemOn())).toMatchObject({ kind: 'sealed', size: 1n })
  })

  it('signs one head in ten seconds at most, and none where nothing grew, but daily (Q28)', async () => {
    start()
    await sized(0n)
    const first = await headText()
    await write()
    await clock.advance(9 * SECOND)
    expect(await headText()).toBe(first)
    await clock.advance(SECOND)
    await sized(1n)
    const second = await headText()
    await write('duty-relay')
    await clock.advance(DAY - 20 * SECOND)
    expect(await headText()).toBe(second)
    // Time goes on while the sealer waits for the disk, so it may sleep a round longer.
    for (let n = 0; n < 100 && (await headText()) === second; n++) {
      await clock.advance(10 * SECOND)
      await turns(20)
    }
    expect(await headText()).not.toBe(second)
    const [of, daily] = [second, await headText()].map((text) => parseNote(text!))
    expect(daily!.text).toBe(of!.text)
    const time = (note: typeof of) => cosignedAt('ml-dsa-44-cosignature', note!.signatures[1]!.bytes)!
    expect(time(daily) - time(of)).toBeGreaterThanOrEqual(86_400n)
  })

  it('goes on after a stop, with the next head when it is due', async () => {
    await write()
    start()
    await sized(0n)
    await clock.advance(10 * SECOND)
    await sized(1n)
    await stop()
    await write()
    // When it was written is the time of its file.
    const at = Date.parse(clock.now()) / 1000
    utimesSync(join(folder, 'proof/checkpoint'), at, at)
    start()
    await until(() => clock.sleepers() > 0)
    expect((await treeIn(folder))?.size).toBe(1n)
    await clock.advance(10 * SECOND)
    await sized(2n)
    expect((await treeIn(folder))!.entries).toEqual(await entriesOfLog(store))
  })

  it('a log that is away is waited for', async () => {
    store.goAway()
    start()
    await until(() => clock.sleepers() > 0)
    expect(state).toMatchObject({
      kind: 'stopped',
      reason: expect.stringMatching(/^the log is not sealed: ./),
    })
    store.comeBack()
    await write()
    await clock.advance(60 * SECOND)
    await sized(0n)
    await clock.advance(10 * SECOND)
    await sized(1n)
    await until(() => state?.kind === 'sealing', 'it seals again')
  })

  it('whose checkpoint somebody removed signs nothing, and does not call the tree another home’s', async () => {
    await write()
    start()
    await sized(0n)
    await clock.advance(10 * SECOND)
    await sized(1n)
    await stop()
    const { origin } = (await treeIn(folder))!
    rmSync(join(folder, 'proof/checkpoint'))
    start()
    await until(() => clock.sleepers() > 0)
    const reason = `the checkpoint of the Merkle tree ${origin} is not in ${join(folder, 'proof')}, and its keys are here`
    expect(state).toMatchObject({ kind: 'stopped', reason: expect.stringContaining(reason) })
    expect(await examineHead(systemOn())).toMatchObject({
      kind: 'headless',
      reason: expect.stringContaining(reason),
    })
    expect(await proofLogIn(folder).head()).toBeUndefined()
  })

  it('leaves a log alone whose tree is in another home', async () => {
    await write()
    await setTreeMark(store, 'archive.example/other')
    expect(await start()).toBe('elsewhere')
    expect(await treeIn(folder)).toBeUndefined()
    expect(await examineHead(systemOn())).toEqual({ kind: 'elsewhere', origin: 'archive.example/other' })
  })
})

describe('a log that is behind its tree (Q15)', () => {
  let older: FakeEventStore
  let before: Awaited<ReturnType<typeof treeIn>>
  beforeEach(async () => {
    for (const stream of ['a-1', 'a-2', 'a-1']) await write(stream)
    start()
    await sized(0n)
    await clock.advance(10 * SECOND)
    await sized(3n)
    await stop()
    before = await treeIn(folder)
    older = fakeEventStore({ now: clock.now })
    const page = await store.readStored(-1n, {}, 2)()
    if (isLeft(page)) throw new Error('unreadable')
    for (const { stream, ...one } of page.right.events) await older.appendStored(stream, 'any', [one])()
    await setTreeMark(older, before!.origin)
  })

  it('signs nothing, and says what is missing', async () => {
    await write('a-3', older)
    start(older)
    await until(() => state.kind === 'stopped')
    expect(state).toMatchObject({ reason: expect.stringContaining('it lacks leaf 2, revision 1 of a-1') })
    await clock.advance(DAY + 20 * SECOND)
    expect(await treeIn(folder)).toEqual(before)
    expect(await examineHead(systemOn(older))).toMatchObject({
      kind: 'behind',
      reason: expect.stringContaining('leaf 2'),
    })
  })

  it('goes on once the log that has it is put back', async () => {
    start(older)
    await until(() => state.kind === 'stopped')
    await stop()
    await write('a-4')
    start()
    await until(() => clock.sleepers() > 0)
    await clock.advance(10 * SECOND)
    await sized(4n)
  })

  it('or with a new tree by a person’s word, whose leaf 0 names this one', async () => {
    start(older)
    await until(() => state.kind === 'stopped')
    const { origin, size, root } = before!
    const id = uuid()
    const data = {
      origin: 'archive.example/next',
      earlier: { origin, size: `${size}`, root: Buffer.from(root, 'hex').toString('base64') },
      reason: 'disk lost',
      at: clock.now(),
    }
    await older.append(treeStream, 'any', [{ ...event('TreeReplaced', data, id) }])()
    await clock.advance(10 * SECOND)
    await until(() => state.kind === 'sealing')
    await clock.advance(10 * SECOND)
    await sized(4n)
    const tree = (await treeIn(folder))!
    expect(tree.origin).toBe('archive.example/next')
    expect(tree.entries[0]).toBe(`fonds.origin/v1\n"${origin}"\n3\n${data.earlier.root}\n"${id}"\n`)
    expect(await treeMark(older)).toBe('archive.example/next')
    await stop()
    start(older)
    await until(() => clock.sleepers() > 0)
    expect(state.kind).toBe('sealing')
  })
})

it.each([
  [
    'the key is gone',
    () => rmSync(join(folder, 'proof-key'), { recursive: true }),
    /the key of the Merkle tree is not in/,
  ],
  [
    'a tile is damaged',
    () => writeFileSync(join(folder, 'proof/tile/0/000.p/1'), Buffer.alloc(32)),
    /the tiles in .* are not those/,
  ],
  [
    'the head is damaged',
    () => writeFileSync(join(folder, 'proof/checkpoint'), 'archive.example\n'),
    /the checkpoint of the Merkle tree has no empty line/,
  ],
])('%s: it stops, and a person is told what to do', async (_, damage, says) => {
  await write()
  start()
  await sized(0n)
  await clock.advance(10 * SECOND)
  await sized(1n)
  await stop()
  damage()
  if (readFileSync(join(folder, 'proof/checkpoint'), 'utf8') === 'archive.example\n')
    await setTreeMark(store, 'archive.example')
  start()
  await until(() => state.kind === 'stopped')
  expect(state).toMatchObject({ reason: expect.stringMatching(says) })
  expect(state).toMatchObject({ reason: expect.stringContaining('fonds do proof.replace-tree') })
})
