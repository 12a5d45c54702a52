import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { RingFailure, RingStopped, readRing } from '#src/async/threads/ring/read-ring.ts'

/* A thread that blocks while it reads a ring: it does the steps, and posts what came of each. */

export type Step =
  | { readonly from: number; readonly to: number; readonly buffer?: number }
  | 'check'
  | 'close'

export interface RingJob {
  readonly memory: SharedArrayBuffer
  readonly size: number
  readonly steps: readonly Step[]
}

parentPort?.on('message', ({ memory, size, steps }: RingJob) => {
  const ring = readRing(memory, { size })
  const results = steps.map((step) => {
    try {
      if (step === 'close') return ring.close()
      if (step === 'check') return ring.isUnchanged()
      const hash = createHash('sha256')
      const buffer = Buffer.alloc(step.buffer ?? 100_000)
      for (let at = step.from; at < step.to; ) {
        const read = ring.read(at, buffer.subarray(0, Math.min(buffer.length, step.to - at)))
        if (read === 0) return `ends at ${at}`
        hash.update(buffer.subarray(0, read))
        at += read
      }
      return hash.digest('hex')
    } catch (error) {
      if (error instanceof RingFailure) return { failure: error.failure }
      return error instanceof RingStopped ? 'stopped' : String(error)
    }
  })
  parentPort?.postMessage(results)
})
