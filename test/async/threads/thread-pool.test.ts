import { describe, expect, it } from 'vitest'
import { createThreadPool } from '#src/async/threads/thread-pool.ts'

it('threads start when they are needed, or all of them when it is said so', async () => {
  let started = 0
  const slot = () => {
    let isStarted = false
    const start = () => {
      if (!isStarted) started++
      isStarted = true
    }
    const run = async () => {
      start()
      return 'done'
    }
    return { start, isStarted: () => isStarted, run, close: async () => {} }
  }
  const pool = createThreadPool<string, string, string>(3, slot)
  expect(started).toBe(0)
  expect(await pool.run('job', { hear: () => undefined })).toBe('done')
  expect(started).toBe(1)
  pool.start()
  expect(started).toBe(3)
})

it('light jobs leave threads to the others, and wait in their order', async () => {
  const gates = new Map<string, () => void>()
  const begun: string[] = []
  const slot = () => ({
    start: () => {},
    isStarted: () => true,
    run: (job: string) =>
      new Promise<string>((resolve) => {
        begun.push(job)
        gates.set(job, () => resolve(job))
      }),
    close: async () => {},
  })
  const pool = createThreadPool<string, string, string>(3, slot, 1)
  const run = (job: string, isLight: boolean) => pool.run(job, { hear: () => undefined, isLight })
  const light = ['a', 'b', 'c'].map((job) => run(job, true))
  const heavy = ['x', 'y', 'z'].map((job) => run(job, false))
  expect(begun).toEqual(['a', 'x', 'y'])
  gates.get('x')?.()
  await heavy[0]
  expect(begun).toEqual(['a', 'x', 'y', 'z'])
  gates.get('a')?.()
  await light[0]
  expect(begun).toEqual(['a', 'x', 'y', 'z', 'b'])
  for (const job of ['b', 'y', 'z']) gates.get(job)?.()
  await Promise.all([...heavy, light[1]])
  gates.get('c')?.()
  expect(await light[2]).toBe('c')
})

describe('a further thread', () => {
  const poolOf = (begun: string[], ends: Map<string, () => void>) => {
    let started = 0
    const pool = createThreadPool<string, string, string>(2, () => {
      let isStarted = false
      return {
        start: () => {},
        isStarted: () => isStarted,
        run: (job) => {
          if (!isStarted) started++
          isStarted = true
          begun.push(job)
          return new Promise((resolve) => ends.set(job, () => resolve(job)))
        },
        close: async () => {},
      }
    })
    const run = (job: string) => pool.run(job, { hear: () => undefined })
    return { run, started: () => started }
  }

  it('is not started for a job that waits for a short one', async () => {
    const [begun, ends] = [[] as string[], new Map<string, () => void>()]
    const { run, started } = poolOf(begun, ends)
    const [first, second] = [run('a'), run('b')]
    expect(begun).toEqual(['a'])
    ends.get('a')?.()
    expect(await first).toBe('a')
    expect(begun).toEqual(['a', 'b'])
    ends.get('b')?.()
    expect(await second).toBe('b')
    expect(started()).toBe(1)
  })

  it('is started for a job that waits for a long one', async () => {
    const [begun, ends] = [[] as string[], new Map<string, () => void>()]
    const { run, started } = poolOf(begun, ends)
    const both = [run('a'), run('b')]
    await expect.poll(() => begun).toEqual(['a', 'b'])
    expect(started()).toBe(2)
    for (const end of ends.values()) end()
    expect(await Promise.all(both)).toEqual(['a', 'b'])
  })
})
