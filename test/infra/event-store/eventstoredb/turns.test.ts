import { describe, expect, it } from 'vitest'
import { TimedOut } from '../../../../infra/event-store/eventstoredb/failures.ts'
import { createTurns } from '../../../../infra/event-store/eventstoredb/turns.ts'

/* A server that is asked for thousands of streams at once answers none of them in time. */

/** Calls that end when they are told to. */
const calls = (max: number) => {
  const turns = createTurns(max)
  const begun: { readonly name: number; readonly end: (error?: unknown) => void }[] = []
  const call = (name: number): Promise<number> =>
    turns(
      () =>
        new Promise((resolve, reject) => {
          begun.push({ name, end: (error) => (error === undefined ? resolve(name) : reject(error)) })
        }),
    )
  return { call, begun, names: () => begun.map(({ name }) => name) }
}

describe('turns', () => {
  it('lets so many calls be under way, and the others in their order', async () => {
    const { call, begun, names } = calls(3)
    const all = Array.from({ length: 10 }, (_, name) => call(name))
    expect(names()).toEqual([0, 1, 2])
    begun[1]!.end()
    await all[1]
    expect(names()).toEqual([0, 1, 2, 3])
    for (let next = 0; next < 10; next++) {
      if (next !== 1) begun[next]!.end()
      await all[next]
      expect(begun.length).toBeLessThanOrEqual(Math.min(10, next + 5))
    }
    expect(names()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    await expect(Promise.all([...all])).resolves.toEqual(names())
  })

  it('goes on behind a call that failed', async () => {
    const { call, begun } = calls(1)
    const [one, two] = [call(1), call(2)]
    begun[0]!.end(new Error('deleted'))
    await expect(one).rejects.toThrow('deleted')
    begun[1]!.end()
    await expect(two).resolves.toBe(2)
  })

  it('fails those that wait with one that had no answer in time, and takes new ones', async () => {
    const { call, begun, names } = calls(2)
    const all = Array.from({ length: 50 }, (_, name) => call(name))
    const settled = Promise.allSettled(all)
    begun[0]!.end(new TimedOut('nothing came'))
    begun[1]!.end()
    const outcomes = await settled
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(names()).toEqual([0, 1])
    const more = [call(50), call(51)]
    expect(names()).toEqual([0, 1, 50, 51])
    for (const { end } of begun) end()
    await expect(Promise.all(more)).resolves.toEqual([50, 51])
  })
})
