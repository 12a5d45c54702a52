import { expect, it } from 'vitest'
import { aborted } from '#src/async/aborted.ts'
import { whileAnybody } from '#src/async/while-anybody.ts'
import { turns } from '../fakes/clock.ts'

const working = (work: (signal: AbortSignal) => Promise<void>) => {
  const heard: string[] = []
  const shared = whileAnybody(
    ({ signal }) => {
      heard.push('begins')
      return work(signal)
    },
    () => heard.push('is over'),
  )
  return { shared, heard }
}

it('the first who waits begins the work, and the last ends it', async () => {
  const { shared, heard } = working((signal) => aborted(signal))
  expect(heard).toEqual([])
  const leave = [1, 2].map(() => shared.join(new AbortController().signal))
  leave[0]?.()
  await turns()
  expect(heard).toEqual(['begins'])
  expect(shared.goesOn()).toBe(true)
  leave[1]?.()
  expect(heard).toEqual(['begins', 'is over'])
  expect(shared.goesOn()).toBe(false)
})

it('whoever waits wakes when something comes, when its own signal aborts, and when the work ends', async () => {
  const work = Promise.withResolvers<void>()
  const { shared } = working(() => work.promise)
  const over = new AbortController()
  const leave = shared.join(over.signal)
  shared.join(new AbortController().signal)
  const wakesBy = async (act: () => void) => {
    const woken = shared.move()
    act()
    await woken
  }
  await wakesBy(shared.moved)
  await wakesBy(() => over.abort())
  leave()
  await wakesBy(work.resolve)
  expect(shared.goesOn()).toBe(false)
})

it('what the work throws is thrown to all who ask whether it goes on', async () => {
  const { shared, heard } = working(() => Promise.reject(new Error('no disk')))
  shared.join(new AbortController().signal)
  shared.join(new AbortController().signal)
  await turns()
  expect(heard).toEqual(['begins', 'is over'])
  for (const _ of [1, 2]) expect(shared.goesOn).toThrow('no disk')
})
