import { v7 as uuid } from 'uuid'
import type { WorkState } from '../../domain/ingest/transitions.ts'
import type { Report } from '../runtime/report-on-topic.ts'

interface DoneStep {
  readonly state: WorkState
  readonly result: object
}

/** What is told of one job, in its order. What is told while a message is under way goes with the next. */
export interface StepReports {
  /** Resolves once it is on the topic. Throws what `send` throws; nothing is told afterwards. */
  tell(type: string, data: unknown): Promise<void>
  /** Told a moment later, with those that are done by then: a message for each would cost more than a small step. */
  done(of: { readonly job: number; readonly fence: number }, step: DoneStep): void
  /** Tells at once what waits; `release`: the job is given back with it. */
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

  // The id is given once: a message that is sent again is recognised.
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
    // Who told it may wait for it later, or not at all.
    sending.catch(() => {})
    return sending
  }

  return {
    flush,
    tell: (type, data) => {
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
