import { cloudEventHeaders } from './cloud-event-headers.ts'

const text = (description: string) => ({ type: 'string', description })
const decimal = (description: string) => ({ ...text(description), pattern: '^\\d+$' })

const { ce_specversion, ce_type } = cloudEventHeaders.properties

/** The headers of a relayed event: a CloudEvent in binary mode, and the event's place in the log. */
export const eventHeaders = {
  type: 'object',
  description:
    'CloudEvents 1.0, binary mode; the key is the stream. An event may come again after a crash, the same in ' +
    'everything: drop positions that you have seen. Events of one stream come in order.',
  properties: {
    ce_specversion,
    ce_id: text('Id of the event.'),
    ce_source: text('The log and the workflow.'),
    ce_type,
    ce_time: { ...text('When the log took it.'), format: 'date-time' },
    ce_subject: text('The stream.'),
    fonds_position: decimal('Place in the whole log: grows, with gaps.'),
    fonds_revision: decimal('Place in its stream, from 0.'),
    fonds_actor: text('Who.'),
    fonds_cause: text('The message or event that led to it.'),
    fonds_correlation: text('The conversation it belongs to.'),
    fonds_schema: decimal('Number of the shape of its data, from 1; older ones come as they were written.'),
    fonds_data_left_out: decimal(
      'Only where the event is larger than the broker takes: the bytes of its data, which is `null` here; ' +
        'the stream has it whole, at that revision.',
    ),
    traceparent: text('W3C Trace Context.'),
  },
  required: [
    'ce_specversion',
    'ce_id',
    'ce_source',
    'ce_type',
    'ce_time',
    'ce_subject',
    'fonds_position',
    'fonds_revision',
    'fonds_actor',
    'fonds_cause',
    'fonds_correlation',
    'fonds_schema',
  ],
} as const
