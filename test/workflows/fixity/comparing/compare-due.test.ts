import { rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { type AddOptions, addFolder } from '#src/cli/fixity/add.ts'
import { comparisonDecider } from '#src/domain/fixity/comparison/decide.ts'
import { comparisonEvents, comparisonStream } from '#src/domain/fixity/comparison/events.ts'
import { comparisons, items } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { fixityCauses } from '#src/workflows/fixity/attention.ts'
import { compareDue, type Tried } from '#src/workflows/fixity/comparing/start-comparing.ts'
import { fixityContext } from '#src/workflows/fixity/context.ts'
import { folderOf, shown, started, testSystem } from '../../../app/archive.ts'

const by = { actor: 'ada', reason: 'test' }
const signal = new AbortController().signal

const files = { 'a/1': 'one', 'a/2': 'two', 'b/3': 'three', '.fondsignore': '*.tmp\n' }

const archive = async (newFiles: AddOptions['newFiles']) => {
  const system = await testSystem()
  const root = await folderOf(files)
  const options = { store: 'main', actor: 'ada', ...(newFiles && { newFiles }) }
  await addFolder(system, root, options, () => {}, signal)
  const running = await started(system, ['processors', 'reactions', 'projections'])
  const tried: Tried = new Map()
  const compare = async (again: Tried = tried, isLeader = () => true) => {
    await shown(system, running)
    await compareDue(fixityContext(system), again, { signal, isLeader })
    await shown(system, running)
    return rows(system.viewStore, comparisons)[0]
  }
  return { system, root, compare }
}

const paths = ({ viewStore }: System) =>
  rows(viewStore, items, { where: [is('removed', 0)], orderBy: [{ column: 'path' }] }).map(({ path }) => path)

/** Events of the comparison of `main`. */
const compared = async ({ eventStore }: System) =>
  (await orThrow(eventStore.read(comparisonStream('main'), 'start', 'forward', 100))).map((event) => {
    const read = comparisonEvents.read(event)
    if (read._tag === 'Left') throw new Error(read.left)
    return read.right
  })

/** Written to two hours ago: nobody writes to it any more. */
const writeQuiet = async (path: string, text: string) => {
  await writeFile(path, text)
  const then = new Date(Date.now() - 2 * 3600_000)
  await utimes(path, then, then)
}

describe('comparing a folder with its record', () => {
  it('tells what is new, missing, moved and changed in size, each in one class', async () => {
    const { system, root, compare } = await archive('ask')
    await rename(join(root, 'a/1'), join(root, 'a/moved'))
    await rm(join(root, 'a/2'))
    await writeFile(join(root, 'b/3'), 'three and more')
    for (const name of ['a/new', 'a/new.tmp']) await writeFile(join(root, name), 'new')
    const found = await compare()
    expect(found).toMatchObject({ new: 1, missing: 1, moved: 1, changed: 1, takenIn: 0 })
    expect(found?.first).toEqual({
      new: ['a/new'],
      missing: ['a/2'],
      moved: [{ from: 'a/1', to: 'a/moved' }],
      changed: [{ path: 'b/3', size: 14, recorded: 5 }],
    })
    expect(paths(system)).not.toContain('a/new')
    expect(fixityCauses(system)).toMatchObject([
      { key: 'new/main', says: '1 file of main is new, and not recorded: a/new', weight: 1 },
      {
        key: 'differs/main',
        says: '3 recorded files of main are not there as recorded (1 missing, 1 of another size, 1 moved): a/2 …',
        weight: 3,
      },
    ])
  })

  it('records nothing new while it finds the same, and compares no store that is not due', async () => {
    const { system, root, compare } = await archive('ask')
    await writeFile(join(root, 'a/new'), 'new')
    await compare()
    expect(await compared(system)).toHaveLength(1)
    // A process that has just begun to lead knows no other try than the one in the log.
    await compare(new Map())
    expect(await compared(system)).toHaveLength(1)
  })

  it('is off until it is set', async () => {
    const { system, root, compare } = await archive('off')
    await writeFile(join(root, 'a/new'), 'new')
    expect(await compare()).toBeUndefined()
    await askCommand(system, 'fixity.change-policy', { store: 'main', newFiles: 'ask' }, by)
    expect(await compare()).toMatchObject({ new: 1 })
    expect(await compared(system)).toHaveLength(1)
    expect(fixityCauses(system)).toMatchObject([{ key: 'new/main' }])
    await askCommand(system, 'fixity.change-policy', { store: 'main', newFiles: 'off' }, by)
    await compare()
    expect(fixityCauses(system)).toEqual([])
  })

  it('takes new files in when somebody asks, below the prefix alone', async () => {
    const { system, root, compare } = await archive('ask')
    for (const name of ['a/new', 'b/new']) await writeFile(join(root, name), name)
    await compare()
    await askCommand(system, 'fixity.take-in', { store: 'main', prefix: 'a/' }, by)
    expect(await compare()).toMatchObject({ new: 2, takenIn: 1, requests: [] })
    expect(paths(system)).toEqual(['a/1', 'a/2', 'a/new', 'b/3'])
    expect((await compared(system)).map(({ type }) => type)).toEqual([
      'StoreCompared',
      'TakeInRequested',
      'StoreCompared',
    ])
  })

  it('answers the requests that it has read alone: one of a clock that lags, which comes meanwhile, waits', async () => {
    const { system, root, compare } = await archive('ask')
    for (const name of ['a/new', 'b/new']) await writeFile(join(root, name), name)
    await compare()
    await askCommand(system, 'fixity.take-in', { store: 'main', prefix: 'a/' }, by)
    const stream = comparisonStream('main')
    const late = {
      type: 'TakeIn',
      store: 'main',
      prefix: 'b/',
      ...by,
      at: '2026-01-31T12:00:00.000Z',
    } as const
    const asked: Promise<unknown>[] = []
    let calls = 0
    // It is asked before each store, and behind its listing.
    const isLeader = () => {
      if (++calls === 2)
        asked.push(system.execute(comparisonDecider, { stream, command: late, causationId: 'late' }))
      return true
    }
    const found = await compare(new Map(), isLeader)
    await Promise.all(asked)
    expect(asked).toHaveLength(1)
    expect(found).toMatchObject({ takenIn: 1, requests: [{ prefix: 'b/' }] })
    expect((await compared(system)).map(({ type }) => type).slice(-2)).toEqual([
      'TakeInRequested',
      'StoreCompared',
    ])
    expect(await compare()).toMatchObject({ requests: [] })
    expect(paths(system)).toEqual(['a/1', 'a/2', 'a/new', 'b/3', 'b/new'])
  })

  it('takes one new file in, and none that begins as it does', async () => {
    const { system, root, compare } = await archive('ask')
    for (const name of ['a/new', 'a/new.2', 'b/new']) await writeFile(join(root, name), name)
    await compare()
    await askCommand(system, 'fixity.take-in', { store: 'main', path: 'a/new' }, by)
    expect(await compare()).toMatchObject({ new: 3, takenIn: 1, requests: [] })
    expect(paths(system)).toEqual(['a/1', 'a/2', 'a/new', 'b/3'])
  })

  it('takes new files in by itself where the policy says so, once nobody writes to them', async () => {
    const { system, root, compare } = await archive('take-in')
    await writeQuiet(join(root, 'a/quiet'), 'quiet')
    await writeFile(join(root, 'a/growing'), 'growing')
    expect(await compare()).toMatchObject({ new: 2, takenIn: 1 })
    expect(paths(system)).toContain('a/quiet')
    expect(paths(system)).not.toContain('a/growing')
  })

  it('says nothing of a store that is away, and nothing once it leads no more', async () => {
    const { system, root, compare } = await archive('take-in')
    await writeQuiet(join(root, 'a/quiet'), 'quiet')
    await compare(new Map(), () => false)
    await rename(root, `${root}-away`)
    await compare(new Map())
    await rename(`${root}-away`, root)
    expect(await compared(system)).toEqual([])
    expect(paths(system)).not.toContain('a/quiet')
  })

  it('goes on after a clock was set back, and answers people whose clocks are behind', async () => {
    const { system, root, compare } = await archive('ask')
    const ahead = (millis: number) => new Date(Date.now() + millis).toISOString()
    const { clock } = system
    const at = { now: () => ahead(30 * 24 * 3600_000) }
    Object.assign(system, { clock: { ...clock, ...at, sleep: clock.sleep } })
    await compare()
    const [first] = await compared(system)
    expect(first?.data.at.slice(0, 10)).toBe(at.now().slice(0, 10))
    Object.assign(system, { clock })
    await writeFile(join(root, 'a/new'), 'new')
    expect(await compare()).toMatchObject({ new: 1 })
    const tried: Tried = new Map([['main', { at: ahead(3600_000), notBefore: ahead(0) }]])
    await askCommand(system, 'fixity.take-in', { store: 'main' }, by)
    expect(await compare(tried)).toMatchObject({ takenIn: 1, requests: [] })
  })

  it('refuses to take in what it does not list', async () => {
    const { system, compare } = await archive('ask')
    await askCommand(system, 'fixity.register-store', { store: 'partner', kind: 'external' }, by)
    await compare()
    await expect(askCommand(system, 'fixity.take-in', { store: 'partner' }, by)).rejects.toThrow(
      'is external',
    )
    await expect(askCommand(system, 'fixity.take-in', { store: 'none' }, by)).rejects.toThrow('no store none')
  })
})
