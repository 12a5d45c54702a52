import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { ProducerRecord } from '../../ports/broker.ts'

/** The target topic of some categories. */
export interface RelayTopic {
  readonly name: string
  /** CloudEvents source: names the log that the positions count in. */
  readonly source: string
  readonly categories: readonly string[]
}

/**
 * Encodes an event for other systems: a CloudEvent in binary mode, keyed by its stream, with position and revision. An
 * event may come again after a crash, the same in everything: a consumer that has seen its `fonds_position` drops it.
 */
export const toRecord = (event: RecordedEvent, { name, source }: RelayTopic): ProducerRecord => {
  const { metadata } = event
  return {
    topic: name,
    key: event.stream,
    value: JSON.stringify(event.data ?? null),
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: source,
      ce_type: event.type,
      ce_time: event.recordedAt,
      ce_subject: event.stream,
      fonds_position: event.position.toString(),
      fonds_revision: event.revision.toString(),
      fonds_actor: metadata.actor,
      fonds_cause: metadata.causationId,
      fonds_correlation: metadata.correlationId,
      fonds_schema: metadata.schema.toString(),
      ...(metadata.traceparent && { traceparent: metadata.traceparent }),
    },
  }
}

/**
 * Replaces the data of a record that is too large for the broker by `null`, and adds the number of bytes left out: no
 * position is missing, and consumers know what to read from the log.
 */
export const withoutData = ({ headers, value, ...record }: ProducerRecord): ProducerRecord => ({
  ...record,
  value: 'null',
  headers: { ...headers, fonds_data_left_out: Buffer.byteLength(value).toString() },
})
