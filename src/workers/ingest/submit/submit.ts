import { v5, v7 } from 'uuid'
import { submissionsTopic } from '../../../domain/ingest/messages.ts'
import type { Submission } from '../../../domain/ingest/submission.ts'
import type { Broker } from '../../../ports/broker.ts'
import type { Clock } from '../../../ports/clock.ts'
import { reportOnTopic } from '../../runtime/report-on-topic.ts'

/** UUIDv5 namespace of batches that a key identifies. */
const namespace = '0c0ac0f4-8f5e-5d0b-9a44-5a6f6d1b7a52'

/** Returns the same id for the same key. */
export const newBatch = (key: string | undefined): string => (key === undefined ? v7() : v5(key, namespace))

/**
 * Publishes a submission on its topic; a second call repeats the first. `sealed`: it has references already. Throws
 * `UnavailableError`.
 */
export const submitBatch = async (
  system: { readonly broker: Broker; readonly clock: Clock },
  batch: string,
  submission: Submission,
  source: string,
  sealed?: 'sealed',
): Promise<void> => {
  const data = { batch, ...submission }
  await reportOnTopic(system, submissionsTopic, source, [
    { id: batch, type: 'batch.submitted', data, sealed: sealed !== undefined },
  ])
}
