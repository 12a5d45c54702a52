import { beforeEach, expect, test } from 'vitest'
import { type Call, createCall } from '#src/async/broadcast.ts'
import { passedCheckpoints } from '#src/async/passed-checkpoints.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import type { Generation, Pass } from '#src/ports/view-store.ts'
import { type FakeClock, fakeClock, turns } from '../fakes/clock.ts'

let clock: FakeClock
let isAway: boolean
/** The positions of each transaction. */
let transactions: (readonly number[])[]
let stopping: AbortController
let awaited: Call
/** Milliseconds that a transaction takes. */
let cost: number
let spent: number

beforeEach(() => {
  cost = 0
  spent = 0
  clock = fakeClock()
  isAway = false
  transactions = []
  stopping = new AbortController()
  awaited = createCall()
})

const pass = (passes: readonly Pass[]) => {
  if (isAway) throw new UnavailableError('the disk is full')
  transactions.push(passes.map(({ to }) => Number(to.position)))
  spent += cost
  return passes.map(({ from }) => from === 0n)
}
const start = () =>
  passedCheckpoints(
    {
      viewStore: { pass },
      clock: { ...clock, monotonic: () => clock.monotonic() + spent },
      checkpointsAwaited: awaited,
    },
    stopping.signal,
  )
const generation = (id: number): Generation => ({ projection: `p${id}`, version: 1, id, status: 'live' })
const passTo = (id: number, position: number, from = 0n): Pass => ({
  generation: generation(id),
  from,
  to: { position: BigInt(position), time: null },
})
const nobody = () => {}

test('those of one turn share a transaction; of one generation the last is stored', async () => {
  const passed = start()
  const heard: unknown[] = []
  passed.put(passTo(1, 5), nobody)
  passed.put(passTo(2, 6, 3n), (moved) => heard.push('two', moved))
  passed.put(passTo(1, 7), (moved) => heard.push('one', moved))
  await turns()
  expect(transactions).toEqual([[7, 6]])
  expect(heard).toEqual(['one', true, 'two', false])
})

test.each([
  [0, 5],
  [0.2, 10],
  [3, 50],
])(
  'behind a transaction of %f ms the next comes %d ms later; what is dropped meanwhile is not stored',
  async (took, rest) => {
    cost = took
    const passed = start()
    passed.put(passTo(1, 5), nobody)
    await turns()
    passed.put(passTo(1, 6), nobody)
    passed.put(passTo(2, 6), nobody)
    passed.drop(generation(1))
    await clock.advance(rest - 1)
    expect(transactions).toEqual([[5]])
    await clock.advance(1)
    await turns()
    expect(transactions).toEqual([[5], [6]])
  },
)

test('for who waits they are stored at once, and once; where nothing rests, nothing is', async () => {
  cost = 3
  const passed = start()
  passed.put(passTo(1, 5), nobody)
  await turns()
  awaited.call()
  passed.put(passTo(1, 6), nobody)
  expect(transactions).toEqual([[5]])
  awaited.call()
  expect(transactions).toEqual([[5], [6]])
  await clock.advance(100)
  stopping.abort()
  passed.put(passTo(1, 7), nobody)
  awaited.call()
  expect(transactions).toEqual([[5], [6]])
})

test('while the views cannot be written it is tried again, and ends with the signal', async () => {
  const passed = start()
  isAway = true
  passed.put(passTo(1, 5), nobody)
  await clock.advance(100)
  passed.put(passTo(1, 6), nobody)
  isAway = false
  await clock.advance(100)
  expect(transactions).toEqual([[6]])
  stopping.abort()
  passed.put(passTo(1, 7), nobody)
  await clock.advance(5000)
  expect(transactions).toEqual([[6]])
})
