import { createHash } from 'node:crypto'
import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { checkSentences } from '#src/cli/fixity/check-sentences.ts'
import { items } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { folderOf, testSystem } from '../../app/archive.ts'

const by = { actor: 'ada', reason: 'test' }
const check = (system: System, scope: object = {}, signal = new AbortController().signal) =>
  checkNow(system, scope, { actor: 'ada', wait: false, signal }, () => {})
const add = (system: System, root: string, signal = new AbortController().signal) =>
  addFolder(system, root, { store: 'main', actor: 'ada' }, () => {}, signal)

describe('checking now', () => {
  it('reads every folder store, and leaves external ones to those who read them', async () => {
    const system = await testSystem()
    await add(system, await folderOf({ 'a.txt': 'A', 'b/c.txt': 'C' }))
    await askCommand(system, 'fixity.register-store', { store: 'partner', kind: 'external' }, by)
    expect(await check(system)).toMatchObject({
      total: 2,
      checked: 2,
      verified: 0,
      baselined: 2,
      waiting: 0,
    })
    await expect(check(system, { store: 'partner' })).rejects.toThrow('external')
  })

  it('counts what went bad, was not there or waits, in scope alone', async () => {
    const system = await testSystem()
    const root = await folderOf({ 'a/1.txt': 'A', 'a/2.txt': 'B', 'b/3.txt': 'C' })
    await add(system, root)
    await writeFile(join(root, 'a/1.txt'), 'X')
    await rm(join(root, 'b/3.txt'))
    expect(await check(system, { prefix: 'a/' })).toMatchObject({
      total: 2,
      checked: 2,
      baselined: 1,
      failed: 1,
    })
    expect(await check(system, { item: 'b/3.txt' })).toMatchObject({
      total: 1,
      checked: 1,
      failed: 1,
      parked: 0,
    })
  })

  it('names what failed, with cause and last good day, and no more than twenty for a person', async () => {
    const system = await testSystem()
    const names = Array.from({ length: 22 }, (_, i) => `bad/${String(i).padStart(2, '0')} it.txt`)
    const root = await folderOf({ 'good.txt': 'G', ...Object.fromEntries(names.map((name) => [name, 'A'])) })
    await add(system, root)
    await check(system)
    for (const name of names) await writeFile(join(root, name), 'X')
    const summary = await check(system)
    expect(summary).toMatchObject({ failed: 22, wrongLeftOut: 0 })
    expect(summary.wrong.map(({ path }) => path)).toEqual(names)
    expect(summary.wrong[0]).toEqual({
      store: 'main',
      path: names[0],
      state: 'failed',
      cause: expect.stringContaining('.'),
      lastVerified: expect.stringMatching(/^\d{4}-/),
    })
    const sentences = checkSentences(summary)
    expect(sentences[0]).toContain('22 failed')
    expect(sentences[1]).toMatch(/^ {2}failed {2}main {2}bad\/00 it\.txt: .+ Last good: \d{4}-\d\d-\d\d\.$/)
    expect(sentences.filter((line) => line.startsWith('  failed'))).toHaveLength(20)
    expect(sentences).toContain('  and 2 more: `fonds query fixity-items --where state=failed`')
    expect(sentences).toContain(
      "`fonds fixity item main 'bad/00 it.txt'` shows what each witness reports of the first",
    )
    expect(await check(system, { item: 'good.txt' })).toMatchObject({ wrong: [], wrongLeftOut: 0 })
  })

  it('tells of a file that a symbolic link has replaced; the same bytes stay verified', async () => {
    const system = await testSystem()
    const sum = createHash('sha256').update('A').digest('hex')
    const root = await folderOf({ a: 'A', b: 'A', SHA256SUMS: `${sum}  a\n${sum}  b\n${sum}  c\n` })
    await symlink('b', join(root, 'c'))
    await add(system, root)
    expect(await check(system)).toMatchObject({ verified: 3, links: 0 })
    await rm(join(root, 'a'))
    await symlink('b', join(root, 'a'))
    const summary = await check(system)
    expect(summary).toMatchObject({ verified: 3, failed: 0, links: 1 })
    expect(checkSentences(summary).join('\n')).toContain(
      '1 item was a file and is behind a symbolic link now',
    )
    expect(rows(system.viewStore, items, { where: [is('link', 1)] })).toMatchObject([{ path: 'a' }])
    await rm(join(root, 'a'))
    await writeFile(join(root, 'a'), 'A')
    expect(await check(system)).toMatchObject({ verified: 3, links: 0 })
  })

  it('tells what is new, missing, moved and excluded, in scope alone', async () => {
    const system = await testSystem()
    const root = await folderOf({ 'a/1': 'one', 'a/2': 'two', 'b/3': 'three', '.fondsignore': '*.tmp\n' })
    await add(system, root)
    await rename(join(root, 'a/1'), join(root, 'a/moved'))
    await rm(join(root, 'a/2'))
    for (const name of ['a/new', 'a/new.tmp', 'a/.DS_Store', 'b/other'])
      await writeFile(join(root, name), 'new')
    const summary = await check(system)
    expect(summary).toMatchObject({
      total: 3,
      failed: 2,
      new: 3,
      missing: 2,
      moved: 1,
      excluded: 3,
      unlisted: 0,
    })
    expect(summary.notes).toEqual([
      { path: 'a/1', note: 'is not there; a/moved has its bytes' },
      { path: 'a/2', note: 'is not there' },
      { path: 'a/new', note: 'is new' },
      { path: 'b/other', note: 'is new' },
    ])
    const said = checkSentences(summary).join('\n')
    for (const words of [
      '3 files are new',
      '2 recorded items are not there',
      '1 of them moved',
      '3 files are excluded',
    ])
      expect(said).toContain(words)
    expect(await check(system, { prefix: 'b/' })).toMatchObject({ total: 1, new: 1, missing: 0, moved: 0 })
    expect(await check(system, { prefix: 'b/', exclude: ['other'] })).toMatchObject({ new: 0, excluded: 1 })
    expect(await check(system, { item: 'a/2' })).toMatchObject({ total: 1, new: 0, missing: 0 })
  })

  it('tells nothing of links inside the store, of what is lost, and of a clean folder', async () => {
    const system = await testSystem()
    const sum = createHash('sha256').update('A').digest('hex')
    const root = await folderOf({ a: 'A', SHA256SUMS: `${sum}  a\n${sum}  link\n` })
    await symlink('a', join(root, 'link'))
    await add(system, root)
    expect(await check(system)).toMatchObject({ total: 3, new: 0, missing: 0, moved: 0, notes: [] })
  })

  it('an item or a prefix of nothing is refused', async () => {
    const system = await testSystem()
    await add(system, await folderOf({ a: 'A' }))
    await expect(check(system, { item: 'b' })).rejects.toThrow('nothing is known of main/b')
    await expect(check(system, { prefix: 'b' })).rejects.toThrow('nothing recorded is below b')
  })

  it('tells of what cannot be named, which may be content', async () => {
    const system = await testSystem()
    const root = await folderOf({ a: 'A' })
    await add(system, root)
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), 'x')
    const summary = await check(system)
    expect(summary).toMatchObject({ unlisted: 1, new: 0, missing: 0 })
    expect(summary.notes).toEqual([{ path: '\\xff', note: 'the name is not valid UTF-8' }])
  })

  it('names a folder that cannot be read here', async () => {
    const system = await testSystem()
    await askCommand(system, 'fixity.register-store', { store: 'main', root: '/no/such/folder' }, by)
    const { away } = await check(system)
    expect(away).toMatchObject([{ store: 'main', why: expect.stringContaining('/no/such/folder') }])
  })

  it.each([
    [{}, 'fonds fixity add'],
    [{ store: 'other' }, 'fonds fixity add'],
  ])('says what is missing: %j', async (scope, sentence) => {
    const system = await testSystem()
    await expect(check(system, scope)).rejects.toThrow(sentence)
  })
})

describe('adding', () => {
  it('stops at a word, and records nothing of what it did not read', async () => {
    const system = await testSystem()
    const stopping = new AbortController()
    stopping.abort(new Error('interrupted'))
    const root = await folderOf({ 'a.txt': 'A' })
    await expect(add(system, root, stopping.signal)).rejects.toThrow('interrupted')
    expect(system.viewStore.query('fixity-items', {})).toEqual([])
    expect(await add(system, root)).toMatchObject({ baseline: 1, unreadable: 0 })
  })

  it('again records what is new alone', async () => {
    const system = await testSystem()
    const root = await folderOf({ 'a.txt': 'A' })
    await add(system, root)
    await writeFile(join(root, 'b.txt'), 'B')
    expect(await add(system, root)).toMatchObject({ baseline: 1, known: 1 })
  })
})

it('rules out of bounds are refused, not stored', async () => {
  const system = await testSystem()
  const rules = { intervalDays: 1_000_000, lagSeconds: 0, replica: false }
  const asked = askCommand(system, 'fixity.register-store', { store: 'main', root: '/srv', ...rules }, by)
  await expect(asked).rejects.toThrow('intervalDays')
})
