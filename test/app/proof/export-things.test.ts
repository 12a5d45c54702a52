import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidNote } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NotAsSealed } from '#src/app/proof/export/paired-leaves.ts'
import { UnreadableExport } from '#src/app/proof/verify/export-files.ts'
import { verifyExport } from '#src/app/proof/verify/verify-export.ts'
import { event } from '../../contracts/new-event.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { exportOfThing, exportThingsIn } from './exported.ts'
import { sealAll } from './sealer.ts'
import { thingAttacks, unreadableThings } from './thing-attacks.ts'

let folder: string
let whole: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fonds-thing-'))
  whole = await exportOfThing(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const verify = async (at: string) => {
  const signal = new AbortController().signal
  const { all, failures } = await verifyExport(at, { onProgress: () => {}, signal })
  return { failures, sentences: all.map(({ kind, sentence }) => `${kind} ${sentence}`).join('\n') }
}

const verifyChanged = async (change: (at: string) => void) => {
  const at = mkdtempSync(join(tmpdir(), 'fonds-thing-'))
  try {
    cpSync(whole, at, { recursive: true })
    change(at)
    return await verify(at)
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

/** A log of small streams, sealed in a folder of its own. */
const sealed = async (streams: readonly string[]) => {
  const at = mkdtempSync(join(folder, 'log-'))
  const store = fakeEventStore({ gap: 3n })
  const add = async (stream: string) => {
    const written = await store.append(stream, 'any', [event('Stored', { stream })])()
    if (isLeft(written)) throw new Error('not written')
  }
  for (const stream of streams) await add(stream)
  await sealAll(at, store)
  return { at, store, add }
}
const thing = (...streams: readonly string[]) => [{ thing: streams.join(), streams, elsewhere: [] }]

describe('Q5: an export of things', () => {
  it('has all events, and shows by the entries behind the last that there are no more', async () => {
    const { failures, sentences } = await verify(whole)
    expect(failures).toBe(0)
    expect(sentences).toContain('holds item-a had 101 events and no other when 900 leaves were signed')
    expect(sentences).toContain(
      'holds the place of 102 events in the tree, and the data and metadata of each',
    )
    expect(sentences).toContain(
      'unchecked that these streams are all that the archive has of these things (item-a)',
    )
    expect(sentences).toContain('unchecked that 1 event of other streams are all in which')
    expect(existsSync(join(whole, 'tile/entries/002'))).toBe(false)
    expect(readFileSync(join(whole, 'README.md'), 'utf8')).toContain('    a: item-a\n')
  })

  it.each(thingAttacks)('finds $name', async ({ change, found }) => {
    const { failures, sentences } = await verifyChanged(change)
    expect(failures).toBeGreaterThan(0)
    expect(sentences).toMatch(found)
    expect(sentences).not.toMatch(/and no other when|^holds the place of/m)
  })

  it.each(unreadableThings)('cannot check $name', async ({ change, found }) => {
    const error = await verifyChanged(change).catch((thrown: unknown) => thrown)
    expect(error instanceof UnreadableExport || error instanceof InvalidNote).toBe(true)
    expect((error as Error).message).toMatch(found)
  })

  it('without these entries says that nothing shows it', async () => {
    const { at, store } = await sealed(['a', 'b', 'a'])
    const { to, exported } = await exportThingsIn(at, store, thing('a'), { isOpenEnded: true })
    expect(exported).toMatchObject({ events: 2, rest: undefined })
    expect(existsSync(join(to, 'tile'))).toBe(false)
    const { failures, sentences } = await verify(to)
    expect(failures).toBe(0)
    expect(sentences).toContain('unchecked that nothing happened behind the last of these events')
    expect(sentences).not.toContain('and no other when')
  })

  it('of several things has each; counts what is not sealed, and leaves out streams that have nothing', async () => {
    const { at, store, add } = await sealed(['a', 'b', 'c', 'a'])
    await add('a')
    const { to, exported } = await exportThingsIn(at, store, [...thing('a', 'x'), ...thing('c')])
    expect(exported).toMatchObject({ events: 3, unsealed: 1, streams: ['a', 'c'], rest: 4 })
    expect((await verify(to)).sentences).toContain('(a, c)')
    await expect(exportThingsIn(at, store, thing('x'), { name: 'none' })).rejects.toThrow('no event of x')
  })

  it('of a stream with a long name', async () => {
    const name = `a${'é'.repeat(9000)}`
    const { at, store } = await sealed(['a', name, name])
    const { to, exported } = await exportThingsIn(at, store, thing(name))
    expect(exported).toMatchObject({ events: 2, deleted: 0 })
    const { failures, sentences } = await verify(to)
    expect(failures).toBe(0)
    expect(sentences).toMatch(/these streams are all .*\(sha256:/)
  })

  it('is refused where an event is not as it was sealed, or is gone without a rule', async () => {
    const { at, store } = await sealed(['a', 'b', 'a'])
    const changed = {
      ...store,
      readStored:
        (...given: Parameters<typeof store.readStored>) =>
        async () => {
          const read = await store.readStored(...given)()
          if (isLeft(read)) return read
          const events = read.right.events.map((one) => (one.revision === 1n ? { ...one, data: '{}' } : one))
          return { ...read, right: { ...read.right, events } }
        },
    }
    const refused = exportThingsIn(at, changed, thing('a'))
    await expect(refused).rejects.toThrow(NotAsSealed)
    await expect(refused).rejects.toThrow('revision 1 of a is not as leaf 2 of the tree has it')
    expect(existsSync(join(at, 'things'))).toBe(false)
    const { store: other } = await sealed(['b'])
    await expect(exportThingsIn(at, other, thing('a'))).rejects.toThrow(
      'was sealed as leaf 0, and is not in the log',
    )
  })
})
