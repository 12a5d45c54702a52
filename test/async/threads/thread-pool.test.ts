import { expect, it } from 'vitest'
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
    return { start, run, close: async () => {} }
  }
  const pool = createThreadPool<string, string, string>(3, slot)
  expect(started).toBe(0)
  expect(await pool.run('job', { hear: () => undefined })).toBe('done')
  expect(started).toBe(1)
  pool.start()
  expect(started).toBe(3)
})
