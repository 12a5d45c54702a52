import { backoffMillis } from '../../async/backoff.ts'
import { MINUTE } from '../../domain/kernel/time.ts'

const backoff = { minMillis: MINUTE / 6, maxMillis: 30 * MINUTE, jitter: 0 }

/** Jobs that this machine cannot go on with: each waits by itself, as others, of other sizes or in other steps, may go on. */
export interface MachineWaits {
  /** Milliseconds: longer each time. */
  next(job: number): number
  over(job: number): void
}

export const createMachineWaits = (): MachineWaits => {
  const waits = new Map<number, number>()
  return {
    next: (job) => {
      const before = waits.get(job) ?? 0
      waits.set(job, before + 1)
      return backoffMillis(before, backoff)
    },
    over: (job) => void waits.delete(job),
  }
}
