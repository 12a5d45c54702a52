import { createHash } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RejectedError } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { hasNotes, summaryLines } from '#src/cli/fixity/add-summary.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { items } from '#src/domain/fixity/views.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { emptySummary } from '#src/workflows/fixity/recording/add-counts.ts'
import { type Bag, bagOf } from '../../../packages/bag/test/bagit/bags.ts'
import { folderOf, testSystem } from '../../app/archive.ts'

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

it('lists what is in a manifest and not there as a class of its own, and records it as missing', async () => {
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  const names = Array.from({ length: 25 }, (_, i) => `gone-${i}`)
  const system = await testSystem()
  const summary = await addFolder(
    system,
    await folderOf({ a: 'A', MD5SUMS: ['a', ...names].map((name) => `${md5('A')}  ${name}\n`).join('') }),
    { store: 'main', actor: 'ada' },
    () => {},
    new AbortController().signal,
  )
  expect(summary).toMatchObject({ recorded: 1, missing: 25, notes: [], notThereLeftOut: 0 })
  expect(summary.notThere).toHaveLength(25)
  expect(summary.notThere[0]).toEqual({ path: 'gone-0', from: 'MD5SUMS', note: 'it is not there' })
  const lines = summaryLines(summary)
  expect(lines).toContain('  - gone-0, named in MD5SUMS: it is not there')
  expect(lines).toContain('  - and 5 more in a manifest but not there (all of them in a pipe)')
  expect(rows(system.viewStore, items).filter(({ path }) => path.startsWith('gone-'))).toHaveLength(25)
})

it('points to notes only where there are some', () => {
  const summary = emptySummary('main', '/archive')
  expect(hasNotes({ ...summary, unusable: 1, missing: 1 })).toBe(false)
  expect(hasNotes({ ...summary, notes: [{ path: 'a', note: 'why' }] })).toBe(true)
  expect(hasNotes({ ...summary, notThere: [{ path: 'a', from: 'MD5SUMS', note: 'why' }] })).toBe(true)
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
  expect(summaryLines(summary).join('\n')).toContain('1 thing could not be examined')
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

describe('what moved', () => {
  const { signal } = new AbortController()
  const adding = async (files: Record<string, string>) => {
    const system = await testSystem()
    const root = await folderOf(files)
    const add = (acceptMoves = false) =>
      addFolder(system, root, { store: 'main', actor: 'ada', acceptMoves }, () => {}, signal)
    await add()
    return { system, root, add }
  }

  it('is told where one new file alone has the bytes of one missing file alone', async () => {
    const { root, add } = await adding({ 'a.tif': 'A', 'b.tif': 'B' })
    await rename(join(root, 'a.tif'), join(root, 'c.tif'))
    const summary = await add()
    expect(summary).toMatchObject({ baseline: 1, known: 1, moved: 1, acceptedMoves: 0 })
    expect(summary.notes).toEqual([{ path: 'a.tif', note: 'is not there; c.tif has its bytes' }])
    // The new name is recorded by now; the move may still be taken as one.
    expect(await add()).toMatchObject({ baseline: 0, known: 2, moved: 1 })
    expect(await add(true)).toMatchObject({ moved: 0, acceptedMoves: 1, absent: 0 })
    expect(await add()).toMatchObject({ moved: 0, absent: 0 })
  })

  it('is no move of what was recorded beside it and seen since: that is not there', async () => {
    const { system, root, add } = await adding({ 'a.tif': 'A', 'b.tif': 'B' })
    await writeFile(join(root, 'copy.tif'), 'A')
    await add()
    const check = { actor: 'ada', wait: false, signal }
    await checkNow(system, {}, check, () => {})
    await rm(join(root, 'a.tif'))
    const summary = await add(true)
    expect(summary).toMatchObject({ moved: 0, acceptedMoves: 0, absent: 1 })
    expect(summary.notes).toEqual([{ path: 'a.tif', note: 'is recorded, and not there' }])
  })

  it('and taken as such, the old name is expected no more', async () => {
    const { system, root, add } = await adding({ 'a.tif': 'A', 'b.tif': 'B' })
    await rename(join(root, 'a.tif'), join(root, 'c.tif'))
    expect(await add(true)).toMatchObject({ moved: 0, acceptedMoves: 1 })
    const states = rows(system.viewStore, items).map(({ path, state }) => [path, state])
    expect(Object.fromEntries(states)).toMatchObject({ 'a.tif': 'withdrawn', 'c.tif': 'unchecked' })
    expect(await add(true)).toMatchObject({ moved: 0, acceptedMoves: 0, known: 2 })
  })

  it.each([
    ['a copy beside the original', { 'a.tif': 'A' }, [], { 'b.tif': 'A' }],
    ['two copies in place of one', { 'a.tif': 'A' }, ['a.tif'], { 'b.tif': 'A', 'c.tif': 'A' }],
    ['one in place of two', { 'a.tif': 'A', 'b.tif': 'A' }, ['a.tif', 'b.tif'], { 'c.tif': 'A' }],
    ['empty files', { 'a.tif': '' }, ['a.tif'], { 'b.tif': '' }],
    ['other bytes', { 'a.tif': 'A' }, ['a.tif'], { 'b.tif': 'B' }],
  ])('is not said of %s', async (_, before, gone, now) => {
    const { root, add } = await adding({ ...(before as Record<string, string>), kept: 'K' })
    for (const path of gone) await rm(join(root, path))
    for (const [path, bytes] of Object.entries(now)) await writeFile(join(root, path), bytes)
    expect(await add(true)).toMatchObject({ moved: 0, acceptedMoves: 0 })
  })
})
