import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changer, emptyFolder, openTestIndex, scanned } from './lines.ts'

const setUp = () => {
  const index = openTestIndex(emptyFolder())
  const folder = emptyFolder()
  const paths = ['one', 'two'].map((name) => join(folder, `${name}.cdx`))
  const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return { index, paths, linesOf, lines: () => paths.flatMap(linesOf).sort(), ...changer(index) }
}

it('indexing W28, W30: index files together hold all lines that hold, and absent ones are made', async () => {
  const { index, paths, lines, publish, withdraw } = setUp()
  await index.writeFiles(paths)
  expect(paths.every((path) => existsSync(path))).toBe(true)
  expect(lines()).toEqual([])
  await publish('a', ['a 2020 long line'])
  await publish('b', ['b 2020 line'])
  await publish('c', ['c 2020'])
  await index.writeFiles(paths, { pauseMillis: 0 })
  expect(lines()).toEqual(await scanned(index))
  await withdraw('b')
  await index.writeFiles(paths, { pauseMillis: 0 })
  expect(lines()).toEqual(['a 2020 long line', 'c 2020'])
})

it('index files and new folders of theirs can be read by everybody, whatever the umask', async () => {
  const { index } = setUp()
  const folder = emptyFolder()
  const path = join(folder, 'new', 'folder', 'one.cdx')
  const before = process.umask(0o077)
  try {
    await index.writeFiles([path])
  } finally {
    process.umask(before)
  }
  const modeOf = (of: string) => (statSync(of).mode & 0o777).toString(8)
  expect([path, join(folder, 'new', 'folder'), join(folder, 'new')].map(modeOf)).toEqual([
    '444',
    '755',
    '755',
  ])
})

it('indexing W33: index files that were left half-way are written again, though their list is as it was before', async () => {
  const { index, paths, linesOf, lines, publish } = setUp()
  const [one, two] = paths as [string, string]
  await publish('a', ['a 2020 longer line'])
  await publish('b', ['b 2020 line'])
  await index.writeFiles([one, two])
  const stopping = new AbortController()
  const { signal } = stopping
  const left = index.writeFiles([two, one], { pauseMillis: 600_000, signal })
  await expect.poll(() => linesOf(one).length + linesOf(two).length).toBe(4)
  stopping.abort()
  await expect(left).rejects.toThrow()
  await index.writeFiles([one, two], { pauseMillis: 0 })
  expect(linesOf(one)).toEqual(['a 2020 longer line'])
  expect(lines()).toEqual(['a 2020 longer line', 'b 2020 line'])
})

it('index files and a cluster lack the lines that are left out, until they are not', async () => {
  const { index, paths, lines, publish } = setUp()
  await publish('a', ['a 2020 held', 'a 2021 open'])
  await publish('b', ['b 2020 held'])
  const leftOut = { key: 'held', has: (line: Uint8Array) => Buffer.from(line).toString().endsWith('held') }
  const write = async (given: Parameters<typeof index.writeFiles>[1]) => {
    await index.writeFiles(paths, { pauseMillis: 0, ...given })
    return lines()
  }
  const all = ['a 2020 held', 'a 2021 open', 'b 2020 held']
  expect(await write({})).toEqual(all)
  expect(await write({ leftOut })).toEqual(['a 2021 open'])
  const [one] = paths as [string, string]
  const before = statSync(one).ino
  // Nothing has changed: nothing is written.
  expect(await write({ leftOut })).toEqual(['a 2021 open'])
  expect(statSync(one).ino).toBe(before)
  expect(await write({ leftOut: { key: 'none', has: () => false } })).toEqual(all)
  expect(await write({})).toEqual(all)
  expect(await index.exportZipNum(emptyFolder(), 'cluster', { leftOut })).toMatchObject({ lines: 1 })
  expect(await index.exportZipNum(emptyFolder(), 'cluster')).toMatchObject({ lines: 3 })
})
