import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPart, type Part } from '../src/http/part.ts'
import type { PartPlace } from '../src/http/part-files.ts'
import type { TakeRoom } from '../src/take-room.ts'

/* Downloads of several processes in one folder. */

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'part-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
})

const place = () => ({ folder, key: 'abc', uri: 'https://media.example/1', staleMillis: 60_000 })
const openOne = async (
  more: Partial<PartPlace> = {},
  takeRoom: TakeRoom = () => undefined,
): Promise<Part> => {
  const part = await openPart({ ...place(), ...more }, takeRoom)
  onTestFinished(() => part.discard().catch(() => {}))
  return part
}
const begun = async (text: string): Promise<Part> => {
  const part = await openOne()
  await part.begin({ etag: '"v1"', total: 100 })
  await part.write(Buffer.from(text))
  return part
}
/** As if its process had been silent for long. */
const silence = ({ path }: Part) => utimes(path, 1, 1)
const textOf = ({ path }: Part) => readFile(path, 'utf8')

describe('a download', () => {
  it('that was left is gone on with, by one alone, however long its server lets it wait', async () => {
    await (await begun('so far')).leave()
    const heir = await openOne()
    expect([heir.size, heir.representation.etag, await textOf(heir)]).toEqual([6, '"v1"', 'so far'])
    expect((await openOne()).size).toBe(0)
    await heir.write(Buffer.from(', and on'))
    expect(await textOf(heir)).toBe('so far, and on')
    expect(heir.hash()).toBe('4f983a49ecdc0df3a29fc1cc1e3f3ffb5d58d447b1c7570a5223e2a8db15dd36')
  })

  it('of a process that only waits is not taken over', async () => {
    const waiting = await openOne({ staleMillis: 200 })
    await waiting.begin({ etag: '"v1"' })
    await waiting.write(Buffer.from('so far'))
    await silence(waiting)
    await vi.waitUntil(async () => (await stat(waiting.path)).mtimeMs > 1_000_000)
    expect((await openOne()).size).toBe(0)
    expect(await textOf(waiting)).toBe('so far')
  })

  it('of a process that was taken for dead and wakes up does not get into that of its heir', async () => {
    const sleeper = await begun('so far')
    await silence(sleeper)
    const heir = await openOne()
    expect(heir.size).toBe(6)
    await sleeper.write(Buffer.from('late'))
    await heir.write(Buffer.from('!'))
    expect(await textOf(heir)).toBe('so far!')
  })

  it('of a killed process waits as it is while there is no room for a copy of it', async () => {
    const killed = await begun('so far')
    await silence(killed)
    const before = await readdir(folder)
    const full = new Error('there is no room')
    const asked: unknown[] = []
    const takeRoom: TakeRoom = (...bytes) => {
      asked.push(bytes)
      return Promise.reject(full)
    }
    await expect(openOne({}, takeRoom)).rejects.toBe(full)
    expect(asked).toEqual([[6, 6]])
    expect((await readdir(folder)).sort()).toEqual(before.sort())
    const heir = await openOne()
    expect([await textOf(heir), heir.representation.etag]).toEqual(['so far', '"v1"'])
    expect(await readdir(folder)).toHaveLength(2)
  })

  it('that is discarded leaves nothing, also of whom it was taken from', async () => {
    await (await begun('so far')).leave()
    await (await openOne()).discard()
    expect(await readdir(folder)).toEqual([])
  })
})
