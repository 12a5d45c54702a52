import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openViewCopies } from '#infra/views/sqlite/copies.ts'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { tellFigures } from '../../../e2e/crash/figures.ts'
import { roundsOr, useSeed } from '../../../e2e/crash/seed.ts'
import { useFolder } from '../../../e2e/run-fonds.ts'
import { foldOne, type Log, shapes } from './past-tasks.ts'

const events = 30_000
const copier = join(import.meta.dirname, 'killed-copier.ts')

/** Resolves to how long a process took to make a copy; `killAfter` so many milliseconds it is killed. */
const copyApart = async (folder: string, file: string, killAfter?: number): Promise<number> => {
  const child = spawn(process.execPath, [copier, folder, file, '2026-02'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(createInterface({ input: child.stdout }), 'line')
  const began = performance.now()
  if (killAfter === undefined) expect(await ended).toEqual([0, null])
  else {
    await setTimeout(killAfter)
    child.kill('SIGKILL')
    await ended
  }
  return performance.now() - began
}

it('P65: a process that is killed while it copies leaves no copy that is not whole, and the next one clears up', async () => {
  const { folder } = useFolder()
  const file = join(folder, 'views.db')
  const copyFolder = join(folder, 'copies')
  const store = openViewStore(file)
  onTestFinished(store.close)
  const generation = store.create('tasks', 1, shapes)
  store.promote(generation)
  const log: Log = Array.from({ length: events }, (_, n) => ({
    position: n,
    changes: [{ state: 'open', due: 1, isDeleted: false, queue: n % 3 === 0 ? 'a' : 'b', task: n }],
  }))
  foldOne(store, { ...generation, status: 'live' }, log)
  const copies = openViewCopies(copyFolder, file)
  const expectWhole = async () => {
    const scratch = store.scratch()
    const empty = scratch.create('tasks', 1, shapes)
    scratch.promote(empty)
    await scratch.fill(empty, copies.views()[0]!)
    for (const { name } of shapes) expect(scratch.query(name, {})).toEqual(store.query(name, {}))
    scratch.close()
  }

  const millis = await copyApart(copyFolder, file)
  await expectWhole()
  const { seed, chance } = useSeed()
  const rounds = roundsOr(4)
  let cut = 0
  // A kill that comes too early or too late shows nothing: there are more.
  for (let tries = 0; cut < rounds; tries++) {
    expect(tries, 'kills that cut no copy off').toBeLessThan(25 * rounds)
    copies.remove('2026-02')
    await copyApart(copyFolder, file, chance() * millis)
    const left = readdirSync(copyFolder).filter((name) => name.endsWith('.partial'))
    if (left.length > 0 && copies.kept().length === 0) cut++
    if (copies.kept().length > 0) await expectWhole()
    else expect(copies.views()).toEqual([])
  }
  await copies.make('2026-02', new AbortController().signal)
  expect(readdirSync(copyFolder)).toEqual(['2026-02.db'])
  await expectWhole()
  tellFigures(seed, { kills: rounds })
})
