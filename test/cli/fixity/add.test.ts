import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addFolder } from '#src/cli/fixity/add.ts'
import { summaryLines } from '#src/cli/fixity/add-summary.ts'
import { folderOf, testSystem } from '../../app/archive.ts'
import { type Bag, bagOf } from '../../workers/bagit/bags.ts'

const below = (folder: string, bag: Bag): Record<string, string> =>
  Object.fromEntries(Object.entries(bag).map(([path, bytes]) => [`${folder}/${path}`, String(bytes)]))

it('says of each bag whether it is complete, and records what is there in any case', async () => {
  const good = bagOf({ 'data/a': 'A' })
  const files = { ...below('good', good), ...below('odd', { ...good, 'data/more': 'B' }) }
  const system = await testSystem()
  const summary = await addFolder(
    system,
    await folderOf(files),
    { store: 'main', actor: 'ada' },
    () => {},
    new AbortController().signal,
  )
  expect(summary).toMatchObject({ bags: { complete: 1, incomplete: 1 }, problems: 2, missing: 0 })
  expect(summary.recorded + summary.baseline).toBe(Object.keys(files).length)
  expect(summary.notes.map(({ path, note }) => `${path}: ${note}`)).toEqual([
    'odd/data/more: is payload of a bag, and not in odd/manifest-md5.txt and odd/manifest-sha256.txt',
    'odd: Payload-Oxum says 1.1, the payload is 2.2',
    'odd: this bag is not as RFC 8493 wants it',
  ])
  expect(summaryLines(summary).join('\n')).toContain('1 bag is complete')
})

it('is incomplete where something cannot be looked at, and so is a bag that holds it', async () => {
  const good = bagOf({ 'data/a': 'A' })
  const folder = await folderOf({ ...below('good', good), ...below('odd', good) })
  await writeFile(Buffer.concat([Buffer.from(join(folder, 'odd/data/')), Buffer.from([0xff])]), 'B')
  const summary = await addFolder(
    await testSystem(),
    folder,
    { store: 'main', actor: 'ada' },
    () => {},
    new AbortController().signal,
  )
  expect(summary).toMatchObject({ unlisted: 1, bags: { complete: 1, incomplete: 1 } })
  expect(summary.notes.map(({ path }) => path)).toEqual(['odd/data/\\xff', 'odd'])
  expect(summaryLines(summary).join('\n')).toContain('1 thing could not be looked at')
})
