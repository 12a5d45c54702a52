import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Message } from '../../domain/kernel/message.ts'

/**
 * CloudEvents source of messages that Fonds sends in matching. Their ids are made from those of events, which name them
 * for ever.
 */
const source = 'fonds://matching'

/**
 * Attributes that a message takes over from the event that it publishes. It has no subject: an id of a work may be
 * longer than an attribute may be, and is the record's key.
 */
export const envelopeOf = ({
  recordedAt,
  metadata,
}: RecordedEvent): Pick<Message, 'source' | 'time' | 'correlationId' | 'traceparent'> => ({
  source,
  time: recordedAt,
  correlationId: metadata.correlationId,
  ...(metadata.traceparent && { traceparent: metadata.traceparent }),
})
