import { Worker } from 'node:worker_threads'
import type { IndexJob, IndexThreads } from '@fonds/cdx/jobs'
import { createThreadPool } from '../../src/async/threads/thread-pool.ts'
import { createThreadSlot } from '../../src/async/threads/thread-slot.ts'
import type { ThreadReply } from './thread.ts'

export const createIndexThreads = (threads: number): IndexThreads => {
  const pool = createThreadPool<IndexJob, ThreadReply, ThreadReply>(threads, () =>
    createThreadSlot({
      name: 'capture index',
      open: () => new Worker(new URL('./thread.ts', import.meta.url)),
      lost: (error) => ({ kind: 'failed', error: new Error(error), fields: {} }),
      closed: { kind: 'failed', error: new Error('the capture index was closed'), fields: {} },
    }),
  )
  return {
    run: async (job) => {
      const reply = await pool.run(job, { hear: (message) => message })
      if (!reply) throw new Error('the capture index is closed')
      if (reply.kind === 'failed') throw Object.assign(reply.error, reply.fields)
      return reply.result
    },
    close: () => pool.close(),
  }
}
