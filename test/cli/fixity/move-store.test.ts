import { cp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { moveStoreTo } from '#src/cli/fixity/move-store.ts'
import { items, stores } from '#src/domain/fixity/views.ts'
import { is, row, rows } from '#src/domain/kernel/read-views.ts'
import { folderOf, testSystem } from '../../app/archive.ts'

const { signal } = new AbortController()
const onProgress = () => {}

describe('fonds fixity move-store', () => {
  let system: System
  let from: string
  let to: string
  beforeEach(async () => {
    system = await testSystem()
    from = await folderOf({ 'a.txt': 'A', 'b/c.txt': 'C', empty: '' })
    await addFolder(system, from, { store: 'main', actor: 'ada' }, onProgress, signal)
    to = await folderOf({})
    await cp(from, to, { recursive: true })
  })
  const move = (root = to) =>
    moveStoreTo(system, 'main', root, { actor: 'ada', reason: 'a larger disk', signal, onProgress })
  const rootNow = () => row(system.viewStore, stores, is('store', 'main'))?.root
  const check = () => checkNow(system, { store: 'main' }, { actor: 'ada', wait: false, signal }, onProgress)

  it('moves it once all bytes are the same, and its items go on there', async () => {
    const before = rows(system.viewStore, items)
    expect(await move()).toMatchObject({
      moved: true,
      items: 3,
      same: 3,
      unproven: 0,
      bytes: 2,
      from,
      root: to,
    })
    await rm(from, { recursive: true })
    expect(await check()).toMatchObject({ total: 3, checked: 3, failed: 0, away: [] })
    expect(rootNow()).toBe(to)
    const after = rows(system.viewStore, items)
    const recorded = ({ path, recordedAt, checksums }: (typeof after)[number]) => ({
      path,
      recordedAt,
      checksums,
    })
    expect(after.map(recorded)).toEqual(before.map(recorded))
  })

  it.each([
    ['has other bytes', () => writeFile(join(to, 'a.txt'), 'B'), 'has other bytes at the new root'],
    ['is not there', () => rm(join(to, 'a.txt')), 'is not at the new root'],
  ])('stays where it is if one item %s', async (_, spoil, note) => {
    await spoil()
    expect(await move()).toMatchObject({
      moved: false,
      items: 3,
      same: 2,
      unproven: 1,
      notes: [{ path: 'a.txt', note }],
    })
    expect(await check()).toMatchObject({ checked: 3, failed: 0 })
    expect(rootNow()).toBe(from)
  })

  it('takes what is lost at the old root as the record has it', async () => {
    await rm(join(from, 'a.txt'))
    expect(await move()).toMatchObject({ moved: true, same: 2, byRecord: 1, unproven: 0 })
  })

  it('moves what is lost at both, which stays missing', async () => {
    await rm(join(from, 'a.txt'))
    await rm(join(to, 'a.txt'))
    expect(await move()).toMatchObject({ moved: true, same: 2, inNeither: 1, unproven: 0 })
    expect(await check()).toMatchObject({ checked: 3, failed: 1 })
  })

  it('moves where nothing is left at the old root, by the record', async () => {
    await rm(from, { recursive: true })
    expect(await move()).toMatchObject({ moved: true, byRecord: 3, unproven: 0 })
  })

  it('is refused for an unknown store, the same root, one that is no root, and one that holds nothing of it', async () => {
    const by = { actor: 'ada', reason: 'a larger disk', signal, onProgress }
    await expect(moveStoreTo(system, 'other', to, by)).rejects.toThrow('there is no store other')
    await expect(move(from)).rejects.toThrow(`store main is at ${from} already`)
    await expect(move('mirror')).rejects.toThrow('absolute path of a folder, or s3://')
    await expect(move(await folderOf({}))).rejects.toThrow(/cannot move: its folder .* is empty; copy/)
    await expect(move(join(tmpdir(), 'fonds-not-there'))).rejects.toThrow(/cannot move/)
  })
})
