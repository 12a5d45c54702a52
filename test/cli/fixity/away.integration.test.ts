import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { askCommand, RejectedError } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { StoreAwayError } from '#src/cli/fixity/store-away-error.ts'
import { items, resolutions, stores } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { reportPage } from '#src/projections/fixity/questions/report-page.ts'
import { fixityChecks as storeFindings } from '#src/workflows/fixity/checks.ts'
import { folderOf, started, testSystem } from '../../app/archive.ts'

const by = { actor: 'ada', reason: 'test' }
const check = (system: System, scope: object = {}) =>
  checkNow(system, scope, { actor: 'ada', wait: false, signal: new AbortController().signal }, () => {})
const add = (system: System, root: string, more: object = {}) =>
  addFolder(system, root, { store: 'main', actor: 'ada', ...more }, () => {}, new AbortController().signal)

/** A store of three files, checked once. */
const archive = async (files: Readonly<Record<string, string>> = { 'a/1': 'A', 'a/2': 'B', 3: 'C' }) => {
  const system = await testSystem()
  const root = await folderOf(files)
  await add(system, root)
  await check(system)
  return { system, root }
}
const itemsOf = (system: System) => rows(system.viewStore, items, { where: [is('store', 'main')] })
const empty = async (root: string) => {
  await rm(root, { recursive: true })
  await mkdir(root)
}
const eventsOf = async (system: System, ...types: readonly string[]) => {
  const read = await system.eventStore.readAll(-1n, { types }, 1000)()
  return 'right' in read ? read.right.events : expect.fail('the log is away')
}

describe('a store of which nothing is found', () => {
  it.each([
    ['whose folder is empty', empty, 'is empty'],
    ['whose folder is not there', (root: string) => rm(root, { recursive: true }), 'no such folder'],
    [
      'in whose place is another one',
      async (root: string) => {
        await empty(root)
        await writeFile(join(root, 'stranger'), 'x')
      },
      'holds something else',
    ],
  ])('%s is away: nothing is said of its items, and no attempt is used up', async (_, lose, why) => {
    const { system, root } = await archive()
    const before = itemsOf(system)
    await lose(root)
    const summary = await check(system)
    expect(summary).toMatchObject({ total: 3, checked: 0, failed: 0, parked: 0 })
    expect(summary.away).toMatchObject([{ store: 'main', items: 3, why: expect.stringContaining(why) }])
    expect(itemsOf(system)).toEqual(before)
    expect(await storeFindings(system)).toMatchObject([
      { status: 'fail', says: expect.stringMatching(`${why}.*away since`) },
    ])
    const report = fixityReport(system.viewStore, system.clock.now())
    expect(report.stores).toMatchObject([
      { awaySince: summary.away[0]?.since, away: expect.stringContaining(why) },
    ])
    expect(reportPage(report)).toContain('Away since')
  })

  it('goes on by itself once it is there again, in another folder of the same content', async () => {
    const { system, root } = await archive()
    await rename(root, `${root}-away`)
    expect((await check(system)).away).toHaveLength(1)
    await mkdir(root)
    await rename(`${root}-away/a`, join(root, 'a'))
    await rename(`${root}-away/3`, join(root, '3'))
    expect(await check(system)).toMatchObject({ checked: 3, baselined: 3, away: [] })
    expect(rows(system.viewStore, stores)).toMatchObject([{ awaySince: null, words: {} }])
    await rm(`${root}-away`, { recursive: true })
  })

  it('of which some is there is not away: what is not there is missing', async () => {
    const { system, root } = await archive()
    await rm(join(root, 'a'), { recursive: true })
    expect(await check(system)).toMatchObject({ checked: 3, baselined: 1, failed: 2, away: [] })
    expect(await storeFindings(system)).toMatchObject([{ status: 'ok' }])
  })

  it('F8: by a person’s word its absence is the finding, until it is there again', async () => {
    const { system, root } = await archive()
    await rename(root, `${root}-away`)
    await check(system)
    await started(system, ['processors', 'reactions', 'projections'])
    await askCommand(system, 'fixity.declare-gone', { store: 'main' }, by)
    expect(await check(system)).toMatchObject({ checked: 3, failed: 3, away: [] })
    expect(itemsOf(system).map(({ row }) => row)).toEqual(['F8', 'F8', 'F8'])
    expect(fixityReport(system.viewStore, system.clock.now()).stores[0]?.goneSince).toBeDefined()
    await rename(`${root}-away`, root)
    expect(await check(system)).toMatchObject({ checked: 3, baselined: 3, failed: 0, away: [] })
    expect(rows(system.viewStore, resolutions).map(({ how }) => how)).toEqual(Array(3).fill('verified'))
  })

  it('F8: after as long as its policy waits its absence is the finding, of one item, too', async () => {
    const { system, root } = await archive({ only: 'A' })
    await rm(join(root, 'only'))
    expect((await check(system)).away).toHaveLength(1)
    await started(system, ['processors', 'reactions', 'projections'])
    await askCommand(system, 'fixity.change-policy', { store: 'main', awaySeconds: 0 }, by)
    expect(await check(system)).toMatchObject({ checked: 1, failed: 1, away: [] })
    expect(itemsOf(system)).toMatchObject([{ row: 'F8', state: 'failed' }])
  })

  it('while it is checked: claims are given back, and the check ends', async () => {
    const { system, root } = await archive()
    // The command looks for one file, then the workers do; then the folder goes away, before their threads look.
    let looks = 0
    const { fixity, ...others } = system.adapters
    const openContent: typeof fixity.openContent = (path) => {
      const content = fixity.openContent(path)
      return {
        ...content,
        stat: (name) => async () => {
          const said = await content.stat(name)()
          if (++looks === 2) await rename(root, `${root}-away`)
          return said
        },
      }
    }
    const summary = await check({ ...system, adapters: { ...others, fixity: { ...fixity, openContent } } })
    expect(summary.away).toMatchObject([{ store: 'main' }])
    expect(summary).toMatchObject({ failed: 0, parked: 0 })
    expect(itemsOf(system).map(({ attempts, parked }) => attempts + parked)).toEqual([0, 0, 0])
    expect(await eventsOf(system, 'AttemptFailed')).toEqual([])
    expect((await eventsOf(system, 'BatchReleased')).length).toBeGreaterThan(0)
    await rm(`${root}-away`, { recursive: true })
  })

  it('does not keep the others from being checked', async () => {
    const { system, root } = await archive()
    const other = await folderOf({ x: 'X' })
    await add(system, other, { store: 'other' })
    await rm(root, { recursive: true })
    expect(await check(system)).toMatchObject({ checked: 1, baselined: 1, away: [{ store: 'main' }] })
  })

  it('is not recorded anew: what lies there may be of another disk', async () => {
    const { system, root } = await archive()
    await empty(root)
    await expect(add(system, root)).rejects.toThrow(StoreAwayError)
    await writeFile(join(root, 'stranger'), 'x')
    await expect(add(system, root)).rejects.toThrow(/holds something else.*nothing was recorded/)
    expect(itemsOf(system)).toHaveLength(3)
  })

  it('whose every item was moved on purpose is recorded anew when a person says so', async () => {
    const { system, root } = await archive({ old: 'A' })
    await rename(join(root, 'old'), join(root, 'new'))
    await expect(add(system, root)).rejects.toThrow(StoreAwayError)
    expect(await add(system, root, { acceptMoves: true })).toMatchObject({ acceptedMoves: 1 })
    expect(await check(system)).toMatchObject({ total: 1, baselined: 1, away: [] })
  })

  it('of which nothing is recorded, or all is lost, is not away', async () => {
    const { system, root } = await archive({ only: 'A' })
    await rm(join(root, 'only'))
    await started(system, ['processors', 'reactions', 'projections'])
    await askCommand(system, 'fixity.declare-gone', { store: 'main' }, by)
    await check(system)
    const [finding] = rows(system.viewStore, resolutions)
    const lost = { store: 'main', path: 'only', resolution: finding?.resolution, how: 'lost' }
    await askCommand(system, 'fixity.resolve', lost, by)
    await waitUntilIdle(system)
    expect(await check(system)).toMatchObject({ lost: 1, failed: 0, away: [] })
  })
})

describe('what was parked', () => {
  it('goes on by store and prefix; where nothing is parked, that is said', async () => {
    const { system } = await archive()
    await started(system, ['processors', 'reactions', 'projections'])
    const revive = (input: object) => askCommand(system, 'fixity.revive', input, by)
    await expect(revive({ store: 'main' })).rejects.toThrow('nothing is parked in store main')
    await expect(revive({ store: 'main', path: 'a/1', prefix: 'a/' })).rejects.toThrow(RejectedError)
    await expect(revive({ store: 'nobody' })).rejects.toThrow('nobody')
  })
})
