import { isLeft } from 'fp-ts/lib/Either.js'
import type { System } from '../../../src/app/system.ts'
import { batchEvents } from '../../../src/domain/ingest/batch/events.ts'
import { type BatchOrNone, evolve as evolveBatch } from '../../../src/domain/ingest/batch/state.ts'
import { categories } from '../../../src/domain/ingest/ids.ts'
import { jobEvents } from '../../../src/domain/ingest/job/events.ts'
import { evolve as evolveJob, type JobOrNone } from '../../../src/domain/ingest/job/state.ts'
import { workStates } from '../../../src/domain/ingest/transitions.ts'
import { categoryOf, type RecordedEvent } from '../../../src/domain/kernel/event.ts'

/** Of batches and of jobs, by what the log calls their states. */
export const steps = ['batch pending', 'batch reporting', ...workStates] as const

/** What workers have in hand, by the word of the log. */
export const followWork = ({ eventStore }: System) => {
  const batches = new Map<string, BatchOrNone>()
  const jobs = new Map<string, JobOrNone>()
  let after = -1n

  const fold = (event: RecordedEvent): void => {
    const { stream } = event
    if (categoryOf(stream) === categories.job) {
      const read = jobEvents.read(event)
      if (isLeft(read)) throw new Error(read.left)
      jobs.set(stream, evolveJob(jobs.get(stream), read.right))
    } else {
      const read = batchEvents.read(event)
      if (isLeft(read)) throw new Error(read.left)
      batches.set(stream, evolveBatch(batches.get(stream), read.right))
    }
  }

  return {
    /** Reads on to the end of the log. */
    refresh: async (): Promise<void> => {
      const filter = { categories: [categories.job, categories.batch] }
      for (;;) {
        const read = await eventStore.readAll(after, filter, 5000)()
        if (isLeft(read)) throw new Error(read.left.reason)
        read.right.events.forEach(fold)
        after = read.right.position
        if (read.right.caughtUp) return
      }
    },
    /** Which process has something in hand that is in which step. */
    inHand: (): readonly { readonly pid: number; readonly step: string }[] => [
      ...[...batches.values()].flatMap((batch) =>
        heldBy(batch?.claims.lease?.holder, `batch ${batch?.state}`),
      ),
      ...[...jobs.values()].flatMap((job) => heldBy(job?.claims.lease?.holder, job?.state ?? '')),
    ],
    batchesEnded: (): number =>
      [...batches.values()].filter((batch) => batch?.state === 'completed' || batch?.state === 'failed')
        .length,
  }
}

/** `ingest@machine/pid/random` */
const heldBy = (holder: string | undefined, step: string) =>
  holder === undefined ? [] : [{ pid: Number(holder.split('/')[1]), step }]
