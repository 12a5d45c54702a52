import { callbacksTopic } from '../../domain/ingest/messages.ts'
import { stepsTopic } from '../../domain/ingest/step-messages.ts'
import type { BatchWork } from '../../domain/ingest/tasks.ts'
import type { Correlated } from '../../ports/task-queue.ts'
import { type Report, reportOnTopic } from '../runtime/report-on-topic.ts'
import type { IngesterContext } from './ingester-context.ts'

/** Publishes finished work on the topics of ingest. */
export const reporter = (context: IngesterContext, worker: string) => {
  const source = `fonds://${worker}`
  return {
    send: async (reports: readonly Report[]): Promise<void> => {
      // Recipients of mails are as the log has them. The rest quotes packages and other systems.
      const sealed = reports.map((report) => ({ ...report, sealed: report.type.startsWith('mail.') }))
      if (sealed.length > 0) await reportOnTopic(context, stepsTopic, source, sealed)
    },
    callbackMade: async (data: unknown): Promise<void> => {
      await reportOnTopic(context, callbacksTopic, source, [{ type: 'callback.made', data }])
    },
  }
}

export const failedStep = (data: object, { correlationId }: Correlated): Report => ({
  type: 'step.failed',
  data,
  correlationId,
})

/**
 * A report that failed is retried when its claim expires: nothing is lost. A failed mail is published as failed, without
 * a retry.
 */
export const failedBatch = (
  { id: batch, fence, task, mail }: BatchWork,
  message: string,
  { correlationId }: Correlated,
): readonly Report[] => {
  if (task === 'open') return [{ type: 'batch.failed', data: { batch, fence, message }, correlationId }]
  if (task !== 'mail' || !mail) return []
  return [{ type: 'mail.failed', data: { batch, fence, ...mail, error: message }, correlationId }]
}
