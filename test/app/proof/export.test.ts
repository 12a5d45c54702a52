import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft, map } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NotAsSealed } from '#src/app/proof/export/paired-leaves.ts'
import type { StoredBatch } from '#src/ports/event-store.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { exportIn } from './exported.ts'
import { sealAll } from './sealer.ts'

let folder: string
let store: ReturnType<typeof fakeEventStore>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-export-'))
  store = fakeEventStore({ gap: 3n })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = async (stream: string, count = 1) => {
  for (let n = 0; n < count; n++)
    if (isLeft(await store.append(stream, 'any', [event('T', { n, stream })])()))
      throw new Error('not written')
}
const linesIn = (to: string) =>
  readFileSync(join(to, 'events.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The log as somebody changed it. */
const changed = (change: (batch: StoredBatch) => StoredBatch) => ({
  ...store,
  readStored: ((after, filter, limit) => async () =>
    map(change)(await store.readStored(after, filter, limit)())) as typeof store.readStored,
})

describe('an export of the log', () => {
  it('has each event with its entry and its stored bytes, the tree, keys and a program', async () => {
    await write('a-1', 300)
    await write('duty-sealer')
    await write('b-1', 2)
    await sealAll(folder, store)
    await write('b-1')
    const { to, exported } = await exportIn(folder, store)
    expect(exported).toMatchObject({ size: 302, events: 302, deleted: 0 })
    expect(readdirSync(to).sort()).toEqual(
      [
        'README.md',
        'checkpoint',
        'events.ndjson',
        'export.json',
        'policy',
        'tile',
        'verify.py',
        'verify_statement.py',
      ].sort(),
    )
    expect(readdirSync(join(to, 'tile'), { recursive: true }).sort()).toEqual(
      ['0', '0/000', '0/001.p', '0/001.p/46', '1', '1/000.p', '1/000.p/1'].concat([
        'entries',
        'entries/000',
        'entries/001.p',
        'entries/001.p/46',
      ]),
    )
    const lines = linesIn(to)
    expect(lines.map(({ index }) => index)).toEqual(Array.from({ length: 302 }, (_, i) => i))
    expect(JSON.parse(lines[301].data)).toEqual({ n: 1, stream: 'b-1' })
  })

  it('since a time has the events from then on, and the whole tree', async () => {
    await write('a-1', 5)
    await sealAll(folder, store)
    const { events } = ((await store.readStored(-1n, {}, 10)()) as { right: StoredBatch }).right
    const { to } = await exportIn(folder, store, { since: events[3]!.recordedAt })
    const [first] = linesIn(to)
    expect(events[first.index]!.recordedAt >= events[3]!.recordedAt).toBe(true)
    expect(JSON.parse(readFileSync(join(to, 'export.json'), 'utf8'))).toEqual({
      form: 'fonds.export/v1',
      of: 'log',
      from: first.index,
    })
  })

  it('names events whose bytes were deleted, without them (Q20)', async () => {
    await write('a-1', 3)
    await write('b-1', 2)
    await sealAll(folder, store)
    await store.deleteStream('a-1', 'any', 'tombstone')()
    const without = changed((batch) => ({
      ...batch,
      events: batch.events.filter(({ stream }) => stream !== 'a-1'),
    }))
    const { to, exported } = await exportIn(folder, without)
    expect(exported).toMatchObject({ events: 5, deleted: 3 })
    expect(linesIn(to).map(({ data }) => data === undefined)).toEqual([true, true, true, false, false])
  })

  it('is not made of a log that lacks sealed events without a word (Q2)', async () => {
    await write('a-1', 3)
    await sealAll(folder, store)
    for (const lost of [0n, 2n]) {
      const without = changed((batch) => ({
        ...batch,
        events: batch.events.filter(({ revision }) => revision !== lost),
      }))
      await expect(exportIn(folder, without)).rejects.toThrow(
        `revision ${lost} of a-1 was sealed as leaf ${lost}, and is not in the log`,
      )
    }
  })

  it('is not made of a log in which a sealed event was changed, or one was inserted (Q1, Q2)', async () => {
    await write('a-1', 4)
    await sealAll(folder, store)
    await write('c-1', 2)
    const edited = changed((batch) => ({
      ...batch,
      events: batch.events.map((one) => (one.revision === 2n ? { ...one, data: '{"n":3}' } : one)),
    }))
    await expect(exportIn(folder, edited)).rejects.toThrow(
      'revision 2 of a-1 is not as leaf 2 of the tree has it',
    )
    const inserted = changed((batch) => ({
      ...batch,
      events: batch.events.flatMap((one) =>
        one.revision === 2n ? [{ ...one, stream: 'x-1', revision: 0n }, one] : [one],
      ),
    }))
    await expect(exportIn(folder, inserted)).rejects.toThrow(NotAsSealed)
    expect(readdirSync(folder).filter((name) => name.startsWith('export'))).toEqual([])
  })

  it('is not made in a folder that holds something', async () => {
    await write('a-1')
    await sealAll(folder, store)
    mkdirSync(join(folder, 'export'))
    writeFileSync(join(folder, 'export/mine'), '')
    expect(await exportIn(folder, store)).toMatchObject({ why: expect.stringContaining('is not empty') })
    expect(readdirSync(join(folder, 'export'))).toEqual(['mine'])
  })
})
