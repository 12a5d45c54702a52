import { v7 as uuid } from 'uuid'
import type { WorkState } from '../../domain/ingest/transitions.ts'
import type { Report } from '../runtime/report-on-topic.ts'

interface DoneStep {
  readonly state: WorkState
  readonly result: object
}

/** Reports on one job, in their order. Reports made while a message is being sent go with the next. */
export interface StepReports {
  /** Resolves once it is on the topic. Throws what `send` throws; nothing is published afterwards. */
  report(type: string, data: unknown): Promise<void>
  /** Reported a moment later, with the steps done by then: a message for each would cost more than a small step. */
  done(of: { readonly job: number; readonly fence: number }, step: DoneStep): void
  /** Publishes waiting reports at once; `release`: releases the job with them. */
  flush(release?: boolean): Promise<void>
}

const togetherMillis = 50

export const createStepReports = (
  correlationId: string | undefined,
  send: (reports: readonly Report[]) => Promise<void>,
): StepReports => {
  let waiting: Report[] = []
  let sending: Promise<void> = Promise.resolve()
  let steps: { readonly of: object; readonly done: DoneStep[]; readonly timer: NodeJS.Timeout } | undefined

  // The id is assigned once: a repeated message is recognised.
  const add = (type: string, data: unknown) => waiting.push({ id: uuid(), type, data, correlationId })

  const flush = (release = false): Promise<void> => {
    if (steps) {
      clearTimeout(steps.timer)
      add('steps.done', { ...steps.of, steps: steps.done, ...(release && { release }) })
      steps = undefined
    }
    sending = sending.then(async () => {
      const now = waiting
      waiting = []
      if (now.length > 0) await send(now)
    })
    // The caller may await it later, or not at all.
    sending.catch(() => {})
    return sending
  }

  return {
    flush,
    report: (type, data) => {
      if (steps) void flush()
      add(type, data)
      return flush()
    },
    done: (of, step) => {
      steps ??= { of, done: [], timer: setTimeout(flush, togetherMillis) }
      steps.done.push(step)
    },
  }
}
