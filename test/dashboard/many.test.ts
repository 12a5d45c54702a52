import { expect, it } from 'vitest'
import { between } from '../../dashboard/src/parts/many/between.ts'
import { type Done, doEach } from '../../dashboard/src/parts/many/do-each.ts'

const rows = Array.from({ length: 25 }, (_, i) => ({ name: `row-${i}` }))
const refusalOf = (error: unknown) => (error as Error).message

it('does each row once, at most four at a time, and tells those that were refused', async () => {
  const seen: string[] = []
  let under = 0
  let most = 0
  let last: Done | undefined
  await doEach(
    rows,
    async ({ name }) => {
      seen.push(name)
      most = Math.max(most, ++under)
      await Promise.resolve()
      under--
      if (name === 'row-7') throw new Error('settled meanwhile')
    },
    { refusalOf, onDone: (done) => (last = done), signal: new AbortController().signal },
  )
  expect(seen.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  expect(most).toBe(4)
  expect(last).toEqual({
    done: 24,
    refused: [{ name: 'row-7', why: 'settled meanwhile' }],
    isStopped: false,
  })
})

it('begins nothing more once it is stopped', async () => {
  const stopping = new AbortController()
  let last: Done | undefined
  let begun = 0
  await doEach(
    rows,
    async () => {
      if (++begun === 6) stopping.abort()
      await Promise.resolve()
    },
    { refusalOf, onDone: (done) => (last = done), signal: stopping.signal },
  )
  expect(last?.isStopped).toBe(true)
  expect(last?.done).toBe(begun)
  expect(begun).toBeLessThan(10)
})

it('chooses all rows from the last one to this one, in either direction, and this one alone where there is none', () => {
  const keys = ['a', 'b', 'c', 'd']
  expect(between(keys, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(between(keys, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(between(keys, undefined, 'c')).toEqual(['c'])
  expect(between(keys, 'gone', 'c')).toEqual(['c'])
})
