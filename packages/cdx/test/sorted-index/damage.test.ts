import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSums } from '../../src/sorted-index/sums.ts'
import { changer, emptyFolder, openTestIndex, scanned, sortedUnique } from './lines.ts'

const eager = { runsPerLevel: 2, maxInputs: 8, graceMillis: 0 }
const linesOf = (name: string, count = 3000): readonly string[] =>
  sortedUnique(
    Array.from({ length: count }, (_, i) => `${name})/${String(i).padStart(6, '0')} 2020 rest of the line`),
  )

const damage = (path: string, at: number, text = '!!!!'): void => {
  const file = openSync(path, 'r+')
  writeSync(file, text, at)
  closeSync(file)
}
/** The largest file of lines. */
const largest = (folder: string, ending = '.cdx'): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).size - statSync(a).size)[0]!
/** Lines that begin in the same block of 8 KiB as the byte there. */
const inBlock = (path: string, at: number): readonly string[] => {
  const text = readFileSync(path, 'latin1')
  const found: string[] = []
  for (let start = 0; start < text.length; start = text.indexOf('\n', start) + 1)
    if (Math.floor(start / 8192) === Math.floor(at / 8192))
      found.push(text.slice(start, text.indexOf('\n', start)))
  return found
}
const without = (lines: readonly string[], some: readonly string[]) =>
  lines.filter((line) => !some.includes(line))

describe('a damaged run', () => {
  it.each([0, 8191, 8192, 20_000, 60_000])(
    'indexing W27 has its good blocks served, and the bad one not: bytes at %i',
    async (at) => {
      const folder = emptyFolder()
      const index = openTestIndex(folder, eager)
      const { publish } = changer(index)
      const lines = linesOf('a')
      await publish('main/a', lines)
      const lost = inBlock(largest(folder), at)
      damage(largest(folder), at, '~')
      expect(await scanned(index)).toEqual(without(lines, lost))
      expect(await scanned(index, { backwards: true })).toEqual(without(lines, lost).toReversed())
      // A reader leaves word for the writer.
      const report = await index.mergeDue()
      expect(report.lost).toMatchObject([
        { lines: lost.length, blocks: 1, posts: 0, files: [{ file: 'main/a' }] },
      ])
      expect(await index.losses()).toEqual(report.lost)
      expect((await index.runs()).map(({ badBlocks }) => badBlocks)).toEqual([1])
      expect(readdirSync(folder).filter((name) => name.endsWith('.suspect'))).toEqual([])
    },
  )

  it('indexing W27 is found when it is merged: no line of it is out of order, and the loss outlasts the merge', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, eager)
    const { publish } = changer(index)
    const [a, b] = [linesOf('a'), linesOf('b', 10)]
    await publish('main/a', a)
    const path = largest(folder)
    const lost = inBlock(path, 30_000)
    damage(path, 30_000, 'zzzz')
    await publish('main/b', b)
    const report = await index.mergeDue({ all: true })
    expect(report).toMatchObject({ merges: 1, lost: [{ lines: lost.length, files: [{ file: 'main/a' }] }] })
    expect(await scanned(index)).toEqual([...without(a, lost), ...b])
    expect(await index.runs()).toMatchObject([{ badBlocks: 0, lines: a.length + b.length - lost.length }])
  })

  it('the same lines of the file, indexed again, are taken, and the loss is over', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, eager)
    const { publish } = changer(index)
    const [a, b] = [linesOf('a'), linesOf('b')]
    await publish('main/a', a)
    await publish('main/b', b)
    await index.mergeDue({ all: true })
    damage(largest(folder), 1000)
    await scanned(index)
    // Only whose lines may be in the bad block.
    expect((await index.mergeDue()).lost).toMatchObject([{ files: [{ file: 'main/a' }] }])
    await publish('main/a', a)
    expect(await scanned(index)).toEqual([...a, ...b])
    expect((await index.mergeDue({ all: true })).lost).toEqual([])
    expect(await scanned(index)).toEqual([...a, ...b])
  })

  it('what is lost of posts is counted, and the same post is taken again', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, eager)
    const lines = linesOf('p')
    const text = lines.map((line) => `${line}\n`)
    await index.change([{ kind: 'add', run: await index.write(text), position: 1n }])
    damage(largest(folder), 20_000)
    await scanned(index)
    expect((await index.mergeDue()).lost).toMatchObject([
      { posts: 1, files: [], from: expect.stringMatching(/^p\)/), to: expect.stringMatching(/^p\)/) },
    ])
    expect((await scanned(index)).length).toBeLessThan(lines.length)
    await index.change([{ kind: 'add', run: await index.write(text), position: 2n }])
    expect(await scanned(index)).toEqual(lines)
  })

  it('does not reach the files of replay, which are links to runs', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, eager)
    const lines = linesOf('a')
    await changer(index).publish('main/a', lines)
    const path = join(emptyFolder(), 'main.cdx')
    await index.writeFiles([path])
    const lost = inBlock(largest(folder), 20_000)
    damage(largest(folder), 20_000)
    await scanned(index)
    await index.mergeDue()
    await index.writeFiles([path])
    expect(readFileSync(path, 'latin1').split('\n').slice(0, -1)).toEqual(without(lines, lost))
  })

  it('is found by the look on a schedule, though nobody reads it', async () => {
    const folder = emptyFolder()
    const day = 24 * 60 * 60_000
    let now = Date.now()
    const index = openTestIndex(folder, { ...eager, now: () => now })
    await changer(index).publish('main/a', linesOf('a'))
    damage(largest(folder), 20_000)
    expect((await index.mergeDue()).lost).toEqual([])
    now += 31 * day
    expect((await index.mergeDue()).lost).toHaveLength(1)
  })

  it('is whole again where its file is put back', async () => {
    const folder = emptyFolder()
    const day = 24 * 60 * 60_000
    let now = Date.now()
    const index = openTestIndex(folder, { ...eager, now: () => now })
    const lines = linesOf('a')
    await changer(index).publish('main/a', lines)
    const [path, kept] = [largest(folder), readFileSync(largest(folder))]
    damage(path, 20_000)
    await scanned(index)
    expect((await index.mergeDue()).lost).toHaveLength(1)
    damage(path, 0, kept.toString('latin1'))
    now += 31 * day
    expect((await index.mergeDue()).lost).toEqual([])
    expect(await scanned(index)).toEqual(lines)
  })

  it('whose origins are damaged shows nothing that was withdrawn', async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, eager)
    const { publish, withdraw } = changer(index)
    const [a, b] = [linesOf('a'), linesOf('b')]
    await publish('main/a', a)
    await publish('main/b', b)
    await index.mergeDue({ all: true })
    await withdraw('main/a')
    const path = largest(folder, '.origins')
    // As if the first lines were of the other file.
    for (let i = 0; i < 50; i++)
      damage(path, i * 4, readFileSync(path).readUInt32LE(i * 4) === 0 ? '\x01' : '\x00')
    const found = await scanned(index)
    expect(found.filter((line) => line.startsWith('a'))).toEqual([])
    expect(found).toEqual(b)
  })
})

it('indexing W27 what is damaged of whose lines they are goes into no merge, and is lost like lines', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, eager)
  const { publish, withdraw } = changer(index)
  const [a, b] = [linesOf('a'), linesOf('b')]
  await publish('main/a', a)
  await publish('main/b', b)
  await index.mergeDue({ all: true })
  const path = largest(folder)
  const lost = inBlock(path, 0)
  // As if all lines of the first block were of the other file.
  const origins = largest(folder, '.origins')
  for (let i = 0; i < lost.length; i++)
    damage(origins, i * 4, readFileSync(origins).readUInt32LE(i * 4) === 0 ? '\x01' : '\x00')
  await publish('main/c', linesOf('c', 10))
  const { lost: told } = await index.mergeDue({ all: true })
  expect(told).toMatchObject([{ blocks: 1, lines: lost.length }])
  expect(existsSync(path)).toBe(false)
  expect(await scanned(index)).toEqual([...without(a, lost), ...b, ...linesOf('c', 10)])
  await withdraw('main/b')
  expect(await scanned(index)).toEqual([...without(a, lost), ...linesOf('c', 10)])
})

describe('a run of before blocks had sums', () => {
  const old = async () => {
    const folder = emptyFolder()
    const index = openTestIndex(folder, eager)
    const lines = linesOf('a')
    await changer(index).publish('main/a', lines)
    const sums = largest(folder, '.sums')
    const written = readFileSync(sums)
    rmSync(sums)
    return { folder, index, lines, sums, written }
  }

  it('is read, and gets them in the background', async () => {
    const { index, lines, sums, written } = await old()
    expect(await scanned(index)).toEqual(lines)
    await index.mergeDue()
    expect(readFileSync(sums).equals(written)).toBe(true)
    expect(await scanned(index)).toEqual(lines)
  })

  it('that is damaged loses blocks whose lines cannot be lines, and its file is indexed again', async () => {
    const { folder, index, lines } = await old()
    const lost = inBlock(largest(folder), 20_000)
    damage(largest(folder), 20_000, '\x00\x00')
    const report = await index.mergeDue()
    expect(report.lost).toMatchObject([{ blocks: 1, files: [{ file: 'main/a' }] }])
    expect(await scanned(index)).toEqual(without(lines, lost))
  })

  it('that is damaged nobody knows where is told as damaged, and merged', async () => {
    const { folder, index, lines } = await old()
    damage(largest(folder), 8192 + 30, 'R')
    await changer(index, 5n).publish('main/b', ['b)/ 2020 x'])
    const report = await index.mergeDue({ all: true })
    expect(report).toMatchObject({ merges: 1, lost: [{ blocks: 0, files: [{ file: 'main/a' }] }] })
    expect(await scanned(index)).toHaveLength(lines.length + 1)
  })
})

it('an index that was stored before is read, as of then and now, gets its sums, and is merged', async () => {
  const folder = join(emptyFolder(), 'runs')
  cpSync(join(import.meta.dirname, '../fixtures/capture-index-without-sums'), folder, { recursive: true })
  const index = openTestIndex(folder, eager)
  const linesOf = (host: string) =>
    Array.from(
      { length: 300 },
      (_, i) => `${host})/${String(i).padStart(4, '0')} 20200101000000 http://${host}/${i}`,
    )
  const isAsBefore = async () => {
    expect(await scanned(index)).toEqual([...linesOf('b'), ...linesOf('c')])
    expect(await scanned(index, { asOf: 2n })).toEqual([...linesOf('a'), ...linesOf('b')])
  }
  await isAsBefore()
  expect(await index.mergeDue()).toMatchObject({ lost: [] })
  expect(readdirSync(folder).filter((name) => name.endsWith('.sums'))).not.toEqual([])
  await isAsBefore()
  expect(await index.mergeDue({ all: true })).toMatchObject({ lost: [] })
  await isAsBefore()
})

it('sums that are damaged themselves cost nothing once the run was looked through', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, eager)
  const lines = linesOf('a')
  await changer(index).publish('main/a', lines)
  damage(largest(folder, '.sums'), 16)
  await scanned(index)
  expect((await index.mergeDue()).lost).toEqual([])
  await index.close()
  expect(await scanned(openTestIndex(folder))).toEqual(lines)
  truncateSync(largest(folder, '.sums'), 5)
  expect((await scanned(openTestIndex(folder))).length).toBeLessThan(lines.length)
  expect(existsSync(largest(folder, '.suspect'))).toBe(true)
})

it('sums of a run have an entry for each block', () => {
  const sums = createSums()
  sums.begin(0)
  sums.begin(3 * 8192 + 5)
  expect(sums.end(5 * 8192).length).toBe(5 * 12)
})
