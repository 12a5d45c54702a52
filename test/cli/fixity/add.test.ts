import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RejectedError } from '#src/cli/ask-command.ts'
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

it('leaves out what is excluded, unless a manifest names it or it is recorded', async () => {
  const folder = await folderOf({
    'a.tif': 'A',
    'b.tmp': 'B',
    'work/c': 'C',
    'sums/.DS_Store': 'D',
    'sums/SHA256SUMS': `${createHash('sha256').update('D').digest('hex')}  .DS_Store\n`,
    'x/.DS_Store': 'E',
    '.fondsignore': 'work\n',
  })
  const system = await testSystem()
  const add = (exclude: readonly string[]) =>
    addFolder(
      system,
      folder,
      { store: 'main', actor: 'ada', exclude },
      () => {},
      new AbortController().signal,
    )
  // a.tif, SHA256SUMS; .DS_Store of the manifest; b.tmp, work/c, x/.DS_Store and .fondsignore are not.
  expect(await add(['*.tmp'])).toMatchObject({ baseline: 2, recorded: 1, excluded: 4, known: 0 })
  expect(await add([])).toMatchObject({ baseline: 1, recorded: 0, excluded: 3, known: 3 })
  expect(await add(['*.tmp'])).toMatchObject({ baseline: 0, excluded: 3, known: 4 })
})

it('records nothing where the ignore file says what is not understood', async () => {
  const folder = await folderOf({ a: 'A', '.fondsignore': '!a\n' })
  const added = addFolder(
    await testSystem(),
    folder,
    { store: 'main', actor: 'ada' },
    () => {},
    new AbortController().signal,
  )
  await expect(added).rejects.toThrow(RejectedError)
})
