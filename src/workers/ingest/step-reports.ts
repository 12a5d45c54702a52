import { v7 as uuid } from 'uuid'
import type { Report } from '../runtime/report-on-topic.ts'

/** What is told of one job, in its order. What is told while a message is under way goes with the next. */
export interface StepReports {
  /** Resolves once it is on the topic. Throws what `send` throws; nothing is told afterwards. */
  tell(type: string, data: unknown): Promise<void>
}

export const createStepReports = (
  correlationId: string | undefined,
  send: (reports: readonly Report[]) => Promise<void>,
): StepReports => {
  let waiting: Report[] = []
  let sending: Promise<void> = Promise.resolve()
  return {
    tell: (type, data) => {
      // The id is given once: a message that is sent again is recognised.
      waiting.push({ id: uuid(), type, data, correlationId })
      sending = sending.then(async () => {
        const now = waiting
        waiting = []
        if (now.length > 0) await send(now)
      })
      // Who told it may wait for it later, or not at all.
      sending.catch(() => {})
      return sending
    },
  }
}
