import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { changer, emptyFolder, openTestIndex, scanned } from './lines.ts'

const eager = { runsPerLevel: 2, maxInputs: 3, graceMillis: 0 }

it('indexing C7 posted lines are a union, and of a line the last word holds, before and behind merges', async () => {
  const index = openTestIndex(emptyFolder(), eager)
  const { add, remove } = changer(index)
  await add(['a 1', 'b 1'])
  await add(['b 1', 'c 1'])
  await remove(['b 1', 'z 1'])
  expect(await scanned(index)).toEqual(['a 1', 'c 1'])
  await index.mergeDue({ all: true })
  expect(await scanned(index)).toEqual(['a 1', 'c 1'])
  await add(['b 1'])
  expect(await scanned(index, { backwards: true })).toEqual(['c 1', 'b 1', 'a 1'])
  await index.mergeDue({ all: true })
  expect(await scanned(index)).toEqual(['a 1', 'b 1', 'c 1'])
})

it('indexing C6 what is deleted was there, for who asks for the day before', async () => {
  const index = openTestIndex(emptyFolder(), eager)
  const { add, remove } = changer(index)
  await add(['a 1', 'b 1'])
  await remove(['a 1'])
  await index.mergeDue({ all: true })
  expect(await scanned(index, { asOf: 0n })).toEqual([])
  expect(await scanned(index, { asOf: 1n })).toEqual(['a 1', 'b 1'])
  expect(await scanned(index, { asOf: 2n })).toEqual(['b 1'])
})

it('indexing C8 lines of files hold beside those that are posted, and are not deleted with them', async () => {
  const index = openTestIndex(emptyFolder(), eager)
  const { publish, withdraw, add, remove } = changer(index)
  await publish('main/one', ['a 1', 'b 1'])
  await add(['b 1', 'c 1'])
  await remove(['a 1', 'b 1', 'c 1'])
  await index.mergeDue({ all: true })
  expect(await scanned(index)).toEqual(['a 1', 'b 1'])
  await add(['c 1'])
  await withdraw('main/one')
  await index.mergeDue({ all: true })
  expect(await scanned(index)).toEqual(['c 1'])
})

it('indexing C9 the same post again takes no room, unless something was deleted since', async () => {
  const folder = emptyFolder()
  const index = openTestIndex(folder, { graceMillis: 0 })
  const { add, remove } = changer(index)
  await add(['a 1'])
  await add(['a 1'])
  expect(await index.runs()).toHaveLength(1)
  expect(readdirSync(folder).filter((name) => name.startsWith('r-') && name.endsWith('.cdx'))).toHaveLength(1)
  await remove(['a 1'])
  await add(['a 1'])
  expect(await scanned(index)).toEqual(['a 1'])
  await add(['a 1'])
  expect(await index.runs()).toHaveLength(3)
})
