import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { maxRequests } from '#src/domain/fixity/comparison/requests.ts'
import { comparisons, resolutions } from '#src/domain/fixity/views.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import { HOUR } from '#src/domain/kernel/time.ts'
import { fixity } from '#src/projections/fixity/projection.ts'
import { rebuild } from '#src/projections/runtime/rebuild.ts'
import { fixityCauses } from '#src/workflows/fixity/attention.ts'
import { compareDue, type Tried } from '#src/workflows/fixity/comparing/start-comparing.ts'
import { fixityContext } from '#src/workflows/fixity/context.ts'
import { fixityOverview } from '#src/workflows/fixity/overview.ts'
import { folderOf, shown, started, testSystem } from '../../../app/archive.ts'

const by = { actor: 'ada', reason: 'test' }
const signal = new AbortController().signal

const archive = async (files: Readonly<Record<string, string>>) => {
  const system = await testSystem()
  const root = await folderOf(files)
  await addFolder(system, root, { store: 'main', actor: 'ada', newFiles: 'ask' }, () => {}, signal)
  let hours = 0
  const { clock } = system
  const now = () => new Date(Date.parse(clock.now()) + hours * HOUR).toISOString()
  Object.assign(system, { clock: { ...clock, now, sleep: clock.sleep } })
  /** With roles that stop again: a check by hand starts its own. */
  const working = async <T>(work: () => Promise<T>): Promise<T> => {
    const running = await started(system, ['processors', 'reactions', 'projections'])
    const done = await work()
    await shown(system, running)
    await running.stop(0)
    return done
  }
  const tried: Tried = new Map()
  const compare = async () => {
    await working(() => compareDue(fixityContext(system), tried, { signal, isLeader: () => true }))
    return rows(system.viewStore, comparisons)[0]
  }
  return {
    ...{ system, root, compare, working },
    passes: (amount: number) => {
      hours += amount
    },
    check: () => checkNow(system, {}, { actor: 'ada', wait: true, signal }, () => {}),
    /** Keys of all that needs a person, and the number in the rail. */
    needs: () => ({
      keys: fixityCauses(system).map(({ key }) => key),
      rail: fixityOverview(system)?.needs,
    }),
  }
}

describe('what a comparison found', () => {
  it('needs nobody once a check found it put back, or once it is a finding; and never again once it is lost', async () => {
    const { system, root, compare, check, needs, working } = await archive({ one: 'one', two: 'two' })
    await rm(join(root, 'one'))
    expect(await compare()).toMatchObject({ missing: 1 })
    expect(needs()).toEqual({ keys: ['differs/main'], rail: 1 })
    await writeFile(join(root, 'one'), 'one')
    expect(needs().keys).toEqual(['differs/main'])
    await check()
    expect(rows(system.viewStore, comparisons)).toMatchObject([{ missing: 1 }])
    expect(needs()).toEqual({ keys: [], rail: 0 })

    await working(() => askCommand(system, 'fixity.take-in', { store: 'main' }, by))
    await rm(join(root, 'two'))
    expect(await compare()).toMatchObject({ missing: 1, first: { missing: ['two'] } })
    expect(needs().keys).toEqual(['differs/main'])
    await check()
    expect(needs()).toEqual({ keys: ['findings/main/internal'], rail: 1 })
    await working(() => askCommand(system, 'fixity.resolve', { store: 'main', path: 'two', how: 'lost' }, by))
    expect(rows(system.viewStore, resolutions)).toMatchObject([{ status: 'closed', how: 'lost' }])
    expect(needs()).toEqual({ keys: [], rail: 0 })
    expect((await rebuild(fixity, { ...system, verify: true })).differences).toEqual([])
  })

  it('is listed again ahead of its time, once an hour, when all that it named was settled and there is more', async () => {
    const names = Array.from({ length: 52 }, (_, i) => `file ${String(i).padStart(2, '0')}`)
    const { root, compare, check, passes, needs } = await archive(
      Object.fromEntries([...names, 'kept'].map((name) => [name, name])),
    )
    for (const name of names) await rm(join(root, name))
    expect(await compare()).toMatchObject({ missing: 52 })
    for (const name of names) await writeFile(join(root, name), name)
    await check()
    expect(needs().keys).toEqual(['differs/main'])
    expect(await compare()).toMatchObject({ missing: 52 })
    passes(2)
    expect(await compare()).toMatchObject({ missing: 0 })
    expect(needs().keys).toEqual([])
  })
})

describe('requests to take files in', () => {
  it('are refused beyond a hundred of a store that wait, and none is dropped', async () => {
    const names = Array.from({ length: maxRequests }, (_, i) => `new ${i}`)
    const { system, root, compare, working } = await archive({ one: 'one' })
    await compare()
    await writeFile(join(root, 'new 0'), 'new')
    const ask = (path: string) => askCommand(system, 'fixity.take-in', { store: 'main', path }, by)
    await working(async () => {
      for (const name of names) await ask(name)
      await expect(ask('another')).rejects.toThrow(/100 requests to take files of store main in wait/)
    })
    expect(rows(system.viewStore, comparisons)[0]?.requests).toHaveLength(maxRequests)
    expect(await compare()).toMatchObject({ takenIn: 1, requests: [] })
    await working(() => ask('another'))
  })
})
