import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesOf, changer, emptyFolder, openTestIndex, scanned, sortedUnique } from './lines.ts'

const eager = { runsPerLevel: 2, maxInputs: 3, graceMillis: 0 }

describe('a scan', () => {
  it('indexing W17 goes on with the runs that it began with, while they are merged and the file is withdrawn', async () => {
    const index = openTestIndex(emptyFolder(), eager)
    const { publish, withdraw } = changer(index)
    const lines = sortedUnique(Array.from({ length: 3000 }, (_, i) => `k${i % 700} 2020${i} rest`))
    await publish('one', lines)
    const seen: string[] = []
    for await (const batch of index.scan({})) {
      if (seen.length === 0) {
        await withdraw('one')
        await publish('two', ['new 1'])
        await index.mergeDue({ all: true })
      }
      seen.push(...batch.map((line) => Buffer.from(line).toString('latin1')))
    }
    expect(seen).toEqual(lines)
    expect(await scanned(index)).toEqual(['new 1'])
  })
})

describe('the closest', () => {
  it.each([
    ['earlier', ['20200101', '20200103', '2021', '2019']],
    ['later', ['20200103', '20200101', '2021', '2019']],
  ] as const)('come first, of two as near the %s one', async (tie, times) => {
    const index = openTestIndex(emptyFolder())
    const { publish } = changer(index)
    const full = (time: string) => time.padEnd(8, '01').padEnd(14, '0')
    await publish('one', [
      'k 19990101000000 x',
      'j 20200102000000',
      ...times.map((time) => `kk ${full(time)} x`),
    ])
    await publish(
      'two',
      times.map((time) => `k ${full(time)} x`),
    )
    const found: string[] = []
    for await (const line of index.closest({ key: bytesOf('k'), time: '20200102', tie }))
      found.push(Buffer.from(line).toString())
    expect(found).toEqual([...times.map((time) => `k ${full(time)} x`), 'k 19990101000000 x'])
  })
})

describe('the writer', () => {
  it('indexing W24 is one at a time', async () => {
    const folder = emptyFolder()
    const first = openTestIndex(folder)
    await changer(first).publish('one', ['a 1'])
    const second = openTestIndex(folder)
    await expect(changer(second, 1n).withdraw('one')).rejects.toThrow(/another process/)
    expect(await scanned(second)).toEqual(['a 1'])
    await first.close()
    await changer(second, 1n).withdraw('one')
    expect(await scanned(second)).toEqual([])
  })

  it('refuses a run that is gone, and one that is another path', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    const run = await index.write(['a 1\n'])
    rmSync(join(folder, `${run.name}.cdx`))
    const refused = await index.change([
      { kind: 'publish', file: 'one', run, position: 1n },
      { kind: 'publish', file: 'two', run: { ...run, name: '../x' }, position: 2n },
    ])
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('is missing'),
      expect.stringContaining('not what a writer'),
    ])
    expect(await index.position()).toBe(2n)
  })

  it('indexing W26 leaves the index as it is where a merge fails, and the next one heals', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, { graceMillis: 0 })
    const { publish } = changer(index)
    for (let i = 0; i < 12; i++) await publish(`file-${i}`, [`k${i} 1`])
    const files = readdirSync(folder)
    const [oldest] = await index.runs()
    const path = join(folder, `${oldest?.name}.cdx`)
    rmSync(path)
    await expect(index.mergeDue()).rejects.toThrow(/ENOENT/)
    writeFileSync(path, 'k0 1\n')
    expect(readdirSync(folder)).toEqual(files)
    expect(await scanned(index)).toHaveLength(12)
    expect(await index.mergeDue()).toMatchObject({ merges: 1 })
    expect(await scanned(index)).toHaveLength(12)
  })

  it('indexing W25 does nothing where nothing is due', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    await changer(index).publish('one', ['a 1'])
    const files = readdirSync(folder)
    expect(await index.mergeDue()).toEqual({ merges: 0, bytesWritten: 0, lost: [] })
    expect(readdirSync(folder)).toEqual(files)
  })
})

describe('a manifest', () => {
  it.each([
    ['another program wrote', () => 'CDX N b a m s k r M S V g\n', /not the manifest of a capture index/],
    ['a later version wrote', () => 'fonds.capture-index 2 00\n{}', /another version/],
    ['was changed', (text: string) => text.replace('"live"', '"l1ve"'), /is damaged/],
    ['was cut', (text: string) => text.slice(0, -1), /is damaged/],
  ])('that %s is refused', async (_, spoil, reason) => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    await changer(index).publish('one', ['a 1'])
    const path = join(folder, 'manifest')
    writeFileSync(path, spoil(readFileSync(path, 'utf8')))
    await expect(scanned(index)).rejects.toThrow(reason)
    await index.close()
    await expect(changer(openTestIndex(folder), 1n).withdraw('one')).rejects.toThrow(reason)
  })
})

describe('runs that were written', () => {
  const hour = 60 * 60_000
  const day = 24 * hour

  it('indexing W33 are deleted where the index has the same lines of the file already', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder)
    const { publish } = changer(index)
    await publish('one', ['a 1'])
    const before = readdirSync(folder)
    await publish('one', ['a 1'])
    expect(readdirSync(folder)).toEqual(before)
    expect(await scanned(index)).toEqual(['a 1'])
  })

  it('indexing W18 wait for those that decide for a month, parts of them for a day', async () => {
    const folder = emptyFolder()
    let after = 0
    const openLater = () => openTestIndex(folder, { now: () => Date.now() + after })
    const first = openLater()
    const run = await first.write(['a 1\n'])
    await first.close()
    writeFileSync(join(folder, 't-part.cdx'), 'b 1\n')
    const leftAfter = async (millis: number) => {
      after = millis
      const index = openLater()
      await index.mergeDue()
      await index.close()
      return readdirSync(folder).filter((name) => name.endsWith('.cdx'))
    }
    const [part, whole] = ['t-part.cdx', `${run.name}.cdx`]
    expect(await leftAfter(23 * hour)).toEqual([whole, part])
    expect(await leftAfter(29 * day)).toEqual([whole])
    expect(await leftAfter(31 * day)).toEqual([])
  })
})
