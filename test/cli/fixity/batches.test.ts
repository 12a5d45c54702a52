import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRight } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { headOf } from '#src/app/lags.ts'
import type { System } from '#src/app/system.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { readHistory } from '#src/cli/history-lines.ts'
import { bitLog, items } from '#src/domain/fixity/views.ts'
import { is, rows } from '#src/domain/kernel/read-views.ts'
import { folderOf, testSystem } from '../../app/archive.ts'

/* Clean checks are entries of a batch: what people ask about an item shows them all the same. */

const signal = new AbortController().signal
const by = { actor: 'ada', reason: 'test' }
const check = (system: System) => checkNow(system, {}, { actor: 'ada', wait: false, signal }, () => {})
const checkedTwice = async () => {
  const system = await testSystem()
  const root = await folderOf({ 'a.txt': 'A', 'b.txt': 'B' })
  await addFolder(system, root, { store: 'main', actor: 'ada' }, () => {}, signal)
  await check(system)
  await check(system)
  return { system, root }
}

it('the life of an item has its clean checks, each with its own evidence alone', async () => {
  const { system, root } = await checkedTwice()
  await writeFile(join(root, 'a.txt'), 'X')
  await check(system)
  const life = await readHistory(system, 'main/a.txt')
  const types = life.map(({ type }) => type)
  expect(types.slice(0, 4)).toEqual(['ContentRecorded', 'BatchChecked', 'BatchChecked', 'FixityDecided'])
  expect(types.at(-1)).toBe('ResolutionOpened')
  expect(life[1]?.data).toMatchObject({ path: 'a.txt', revision: 0, row: 'clause 6', size: 1 })
  expect(life[1]?.data).not.toHaveProperty('intact')
  expect(await readHistory(system, 'main/a.txt', { position: life[1]!.position })).toHaveLength(2)
  expect(rows(system.viewStore, bitLog, { where: [is('path', 'a.txt')] })).toMatchObject([
    { result: 'SUCCESS', position: Number(life[1]!.position) },
    { result: 'SUCCESS', position: Number(life[2]!.position) },
    { result: 'FAILURE' },
  ])
  const batch = life[1]!.stream.slice('fixityBatch-'.length)
  expect((await readHistory(system, batch)).map(({ type }) => type)).toEqual(['BatchClaimed', 'BatchChecked'])
})

it('an item’s stream does not grow by clean checks', async () => {
  const { system } = await checkedTwice()
  const read = await system.eventStore.readAll(-1n, { categories: ['fixity'] }, 100)()
  expect(isRight(read) && read.right.events.map(({ type }) => type)).toEqual([
    'ContentRecorded',
    'ContentRecorded',
  ])
})

it('what a batch has read can be accepted', async () => {
  const { system } = await checkedTwice()
  await askCommand(system, 'fixity.accept', { store: 'main', path: 'a.txt' }, by)
  await check(system)
  expect(rows(system.viewStore, items, { where: [is('path', 'a.txt')] })).toMatchObject([
    { state: 'accepted' },
  ])
})

it('many small files cost few events, view transactions and questions each; idle workflows ask next to nothing', async () => {
  const system = await testSystem()
  const files = 300
  const names = Array.from({ length: files }, (_, i) => [`${i}.txt`, `${i}`] as const)
  await addFolder(system, await folderOf(Object.fromEntries(names)), { actor: 'ada' }, () => {}, signal)
  const before = await headOf(system)
  const { viewStore } = system
  const counts = { folds: 0, questions: 0, ofOthers: 0, rows: 0 }
  const ask = (view: string) => {
    counts.questions++
    if (!view.startsWith('fixity-')) counts.ofOthers++
  }
  const counting: System['viewStore'] = {
    ...viewStore,
    fold: (...args) => {
      counts.folds++
      return viewStore.fold(...args)
    },
    query: (view, ...more) => {
      ask(view)
      const found = viewStore.query(view, ...more)
      counts.rows += found.length
      return found
    },
    tally: (view, ...more) => {
      ask(view)
      return viewStore.tally(view, ...more)
    },
  }
  expect(await check({ ...system, viewStore: counting })).toMatchObject({ checked: files })
  const read = await system.eventStore.readAll(before, {}, 1000)()
  const events = isRight(read) ? read.right.events : []
  expect(events.filter(({ type }) => type === 'BatchChecked').length).toBeGreaterThan(0)
  expect(events.length / files).toBeLessThan(0.1)
  const written = events.filter(({ stream }) => stream.startsWith('fixity'))
  expect(JSON.stringify(written.map(({ data, metadata }) => [data, metadata])).length / files).toBeLessThan(
    1000,
  )
  // Each event is of the projections that fold it, and wakes no other.
  expect(counts.folds).toBeLessThanOrEqual(3 * events.length)
  expect(counts.questions / files).toBeLessThan(2)
  // A look of a worker reads half a row a file; how many there are is a matter of time.
  expect(counts.rows / files).toBeLessThan(16)
  expect(counts.ofOthers).toBeLessThan(100)
})
