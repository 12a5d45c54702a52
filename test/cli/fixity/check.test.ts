import { createHash } from 'node:crypto'
import { rm, symlink, writeFile } from 'node:fs/promises'
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
