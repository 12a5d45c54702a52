import { v7 as uuid } from 'uuid'
import { orThrow } from '../../async/unavailable.ts'
import { writeMessage } from '../../domain/kernel/cloud-event.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import type { Broker, RecordPlace } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Correlated } from '../../ports/task-queue.ts'

/** Without a correlation id the message begins a new correlation. */
export interface Report extends Correlated {
  /**
   * The message's id, to be given if the message may be sent again: the second is then recognised as a repeat. Default:
   * a new one.
   */
  readonly id?: string
  readonly type: string
  readonly data: unknown
  /** References of personal values in it are the archive's own. */
  readonly sealed?: boolean
}

/** Produces messages of our own on a topic. Throws `UnavailableError` if the broker cannot accept them. */
export const reportOnTopic = async (
  { broker, clock }: { readonly broker: Broker; readonly clock: Clock },
  topic: TopicSpec,
  source: string,
  reports: readonly Report[],
): Promise<readonly RecordPlace[]> => {
  const records = reports.map(({ id = uuid(), correlationId, type, data, sealed }) => {
    const correlation = correlationId !== undefined && { correlationId }
    const record = writeMessage(
      { id, source, type, time: clock.now(), data, ...correlation },
      topic,
      'binary',
    )
    return { ...record, sealedSource: true, ...(sealed && { sealed }) }
  })
  return orThrow(broker.produce(records), `${topic.name} takes no messages now`)
}
