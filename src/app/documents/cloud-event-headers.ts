import { Time } from '../../domain/kernel/codecs.ts'
import { schemaOf } from './json-schema.ts'

const attribute = (description: string) => ({ type: 'string', minLength: 1, maxLength: 1024, description })

/** The attributes of a CloudEvent in binary mode. The same names without `ce_` stand around `data` in structured mode. */
export const cloudEventHeaders = {
  type: 'object',
  description:
    'CloudEvents 1.0, binary mode. Structured mode (content type application/cloudevents+json) is read as well. Without a content type the value is JSON. A header without a value is absent.',
  properties: {
    ce_specversion: { type: 'string', pattern: '^1\\.\\d+$', description: 'Version of CloudEvents.' },
    ce_id: attribute(
      'With the source it names the message for ever: the same pair again is the same message.',
    ),
    ce_source: attribute('Who says it.'),
    ce_type: attribute('The kind of message.'),
    ce_time: { ...schemaOf(Time), description: 'When it happened; the time of the record where absent.' },
    ce_subject: attribute('What it is about, in words of the producer.'),
    ce_correlationid: attribute('The conversation it belongs to.'),
    ce_foreign: {
      type: 'string',
      description: '`true`: it came over HTTP, and names no file of the machine. Fonds sets it.',
    },
    ce_traceparent: { type: 'string', description: 'W3C Trace Context.' },
  },
  required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type'],
} as const
