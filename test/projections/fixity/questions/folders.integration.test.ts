import { expect, it } from 'vitest'
import { ask, before, viewsOf } from './ask-folders.ts'

it('counts 100,000 folders, and says that there are more', async () => {
  const store = viewsOf(Array.from({ length: 100_001 }, (_, i) => ({ path: `${i}/a` })))
  expect(await ask(store)).toMatchObject({ isWhole: false, total: 100_000, counts: { expected: 100_000 } })
  expect(await ask(store, { folder: '99999' })).toMatchObject({ isWhole: true, counts: { expected: 1 } })
})

it('of more than 20,000 late checks it says that they are counted by what was found last', async () => {
  const store = viewsOf(Array.from({ length: 20_001 }, (_, i) => ({ path: `a/${i}`, lateAfter: before })))
  expect(await ask(store)).toMatchObject({ isLateCounted: false, counts: { verified: 1, late: 20_000 } })
})
