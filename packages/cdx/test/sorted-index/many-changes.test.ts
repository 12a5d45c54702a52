import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { IndexChange, SortedIndex } from '../../src/sorted-index/types.ts'
import { batchOf, emptyFolder, openTestIndex, scanned } from './lines.ts'

const some = { runsPerLevel: 2, maxInputs: 4, graceMillis: 2 ** 40 }

const publishing = (index: SortedIndex, names: readonly string[], from = 1): Promise<IndexChange[]> =>
  Promise.all(
    names.map(async (name, i) => ({
      kind: 'publish' as const,
      file: `main/${name}`,
      run: await index.write([batchOf([`${name} ${from + i}`])]),
      position: BigInt(from + i),
    })),
  )

const filesOf = (folder: string, kind: string) =>
  readdirSync(folder).filter((file) => file.startsWith(kind) && file.endsWith('.cdx'))

it('indexing W33 many runs at once are merged with the change that brings them, so that the manifest stays small', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, some)
  const changes = await publishing(index, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'd'])
  expect(await index.change([...changes, { kind: 'withdraw', file: 'main/a', position: 11n }])).toEqual([])
  const held = ['b 2', 'c 3', 'd 10', 'e 5', 'f 6', 'g 7', 'h 8', 'i 9']
  expect(await scanned(index)).toEqual(held)
  // What ended within the change is kept as it is, for the past.
  expect((await index.runs()).map(({ level }) => level).sort()).toEqual([0, 0, 2, 2])
  expect(await scanned(index, { asOf: 9n })).toEqual(['a 1', 'b 2', 'c 3', 'd 4', ...held.slice(3)])
  // Runs that no manifest named are deleted at once: no reader has them in hand.
  expect(filesOf(folder, 'r-')).toHaveLength(2)
  await index.change(changes)
  await index.close()
  const again = openTestIndex(folder, some)
  expect(await scanned(again)).toEqual(held)
  await again.change([{ kind: 'withdraw', file: 'main/e', position: 12n }])
  await again.mergeDue({ all: true })
  expect(await scanned(again)).toEqual(held.filter((line) => line !== 'e 5'))
})

it('indexing W33 runs that came one by one are merged so, too, and kept for who reads them', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, some)
  const changes = await publishing(index, ['a', 'b', 'c', 'd', 'e'])
  for (const change of changes) await index.change([change])
  expect((await index.runs()).map(({ level }) => level)).toEqual([2, 0])
  expect(filesOf(folder, 'r-')).toHaveLength(4)
  expect(await scanned(index)).toEqual(['a 1', 'b 2', 'c 3', 'd 4', 'e 5'])
})

it('indexing W35 what cannot be merged is published as it is', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, some)
  const changes = await publishing(index, ['a', 'b', 'c'])
  // A folder has a size, and no bytes that could be read.
  mkdirSync(join(folder, 'r-unreadable.cdx'))
  const { size } = statSync(join(folder, 'r-unreadable.cdx'))
  const run = {
    ...(await index.write([batchOf(['z'])])),
    name: 'r-unreadable',
    bytes: size,
    first: 'z',
    last: 'z',
  }
  expect(await index.change([...changes, { kind: 'publish', file: 'main/z', run, position: 9n }])).toEqual([])
  expect((await index.runs()).map(({ level }) => level)).toEqual([0, 0, 0, 0])
  expect(await scanned(index, { to: Buffer.from('z') })).toEqual(['a 1', 'b 2', 'c 3'])
  rmSync(join(folder, 'r-unreadable.cdx'), { recursive: true })
})
