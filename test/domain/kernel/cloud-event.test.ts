import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentTopic, observationsTopic, topics } from '#src/domain/fixity/messages.ts'
import { type EnvelopeRecord, fromLine, readMessage, writeMessage } from '#src/domain/kernel/cloud-event.ts'
import {
  attributes,
  base64,
  binary,
  example,
  headers,
  leftOf,
  now,
  read,
  rightOf,
  structured,
  utf8,
  withoutHeader,
} from './cloud-event-records.ts'

describe('a CloudEvent in binary mode', () => {
  it('is read with all attributes, its time in UTC', () => {
    expect(rightOf(read(binary))).toEqual({
      id: 'a-1',
      source: '/scanner/7',
      type: 'content.recorded',
      time: '2026-01-31T12:00:00.000Z',
      subject: 'box 12',
      correlationId: 'delivery-9',
      traceparent: headers.ce_traceparent,
      data: example,
      origin: { log: 'log-1', topic: contentTopic.name, partition: 3, offset: '41', at: now },
    })
  })

  it('may have header names in any case', () => {
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value], i) => [i % 2 ? name.toUpperCase() : name, value]),
    )
    expect(read({ ...binary, headers: shouted })).toEqual(read(binary))
  })

  it('takes the time of the record where it has none', () => {
    expect(rightOf(read(withoutHeader('ce_time'))).time).toBe(now)
  })

  it('takes the header that tracing libraries write', () => {
    const record = withoutHeader('ce_traceparent')
    const traced = { ...record, headers: { ...record.headers, traceparent: headers.ce_traceparent } }
    expect(rightOf(read(traced)).traceparent).toBe(headers.ce_traceparent)
  })

  it('is read all the same with a broken traceparent', () => {
    const message = rightOf(read({ ...binary, headers: { ...headers, ce_traceparent: 'none' } }))
    expect(message).not.toHaveProperty('traceparent')
  })

  it('may be bytes, with a byte order mark, of any JSON content type or none', () => {
    const value = utf8(`\ufeff${JSON.stringify(example)}`)
    for (const type of ['application/json', 'text/json', 'application/vnd.x+json'])
      expect(rightOf(read({ ...binary, value, headers: { ...headers, 'content-type': type } })).data).toEqual(
        example,
      )
    expect(rightOf(read({ ...withoutHeader('content-type'), value })).data).toEqual(example)
  })
})

describe('headers that are no UTF-8', () => {
  const withRaw = (name: string, ...value: number[]): EnvelopeRecord => ({
    ...binary,
    raw: { headers: [{ name, value: Uint8Array.from(value) }] },
  })
  it('make a message unusable where they are attributes: ids that differ would be one', () => {
    expect(leftOf(read(withRaw('ce_id', 0x61, 0xff)))).toMatchObject({ reason: 'not-utf8', path: 'ce_id' })
    expect(leftOf(read(withRaw('CE_Source', 0xff)))).toMatchObject({ reason: 'not-utf8', path: 'CE_Source' })
  })
  it('are nobody’s business where they are not, nor is a name that stands twice', () => {
    expect(rightOf(read(withRaw('x-trace', 0xff))).id).toBe('a-1')
    expect(rightOf(read(withRaw('ce_id', 0x61))).id).toBe('a-1')
  })
})

describe('a CloudEvent in structured mode', () => {
  const envelope = { ...attributes, time: '2026-01-31T12:00:00Z', correlationid: 'delivery-9', data: example }

  it('is known by its content type or by its specversion', () => {
    const message = rightOf(read(structured(envelope)))
    expect(message).toMatchObject({
      id: 'a-1',
      time: '2026-01-31T12:00:00.000Z',
      correlationId: 'delivery-9',
      data: example,
    })
    const type = 'application/cloudevents+json; charset=utf-8'
    expect(rightOf(read({ ...structured(envelope), headers: { 'Content-Type': type } }))).toEqual(message)
  })

  it('may have its JSON data in base64', () => {
    const data_base64 = base64(JSON.stringify({ ...example, path: 'Ærø/ø.tif' }))
    const record = { ...structured({ ...attributes, data_base64 }), key: 'main/Ærø/ø.tif' }
    expect(rightOf(read(record)).data).toEqual({ ...example, path: 'Ærø/ø.tif' })
  })

  it('may say null for an attribute it does not have', () => {
    const message = rightOf(read(structured({ ...envelope, time: null, subject: null, data_base64: null })))
    expect(message.time).toBe(now)
    expect(message).not.toHaveProperty('subject')
  })

  it('may say null for what it does not have at all', () => {
    const nulls = Object.fromEntries(
      [
        'time',
        'subject',
        'datacontenttype',
        'dataschema',
        'correlationid',
        'traceparent',
        'foreign',
        'own',
      ].map((name) => [name, null]),
    )
    const message = rightOf(read(structured({ ...nulls, ...attributes, data: example })))
    expect(message).toEqual({ ...rightOf(read(structured({ ...attributes, data: example }))) })
    const data_base64 = base64(JSON.stringify(example))
    expect(rightOf(read(structured({ ...attributes, data: null, data_base64 })))).toEqual(message)
  })
})

describe('what is written is read back', () => {
  const attribute = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .filter((s) => !/\p{Cc}/u.test(s))
  const specs = topics.flatMap((topic) => topic.messages.map((spec) => ({ topic, spec })))
  it.each(['binary', 'structured'] as const)('%s', (mode) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...specs),
        attribute,
        attribute,
        fc.option(attribute),
        ({ topic, spec }, id, source, more) => {
          const message = {
            id,
            source,
            type: spec.type,
            time: now,
            data: spec.example,
            ...(more !== null && { subject: more, correlationId: more, traceparent: headers.ce_traceparent }),
          }
          const { log, partition, offset, timestamp } = binary
          const record = { log, partition, offset, timestamp, ...writeMessage(message, topic, mode) }
          const { origin: _, ...back } = rightOf(readMessage(record, topic))
          expect(back).toEqual(message)
        },
      ),
    )
  })

  it('a type the topic does not take is a bug', () => {
    const message = { id: '1', source: 's', type: 'nonsense', time: now, data: {} }
    expect(() => writeMessage(message, contentTopic)).toThrow(/takes no nonsense/)
  })
})

describe('a line of NDJSON', () => {
  const defaults = { id: 'line-1', source: 'fonds produce', time: now }
  const observation = observationsTopic.messages[0].example
  const given = { id: 'line-1', source: 'fonds produce', time: now }

  it('may be a CloudEvent, which then is whole', () => {
    const message = rightOf(fromLine({ ...attributes, data: example }, contentTopic, defaults))
    expect(message).toEqual({ ...attributes, specversion: undefined, time: now, data: example })
    expect(leftOf(fromLine({ ...attributes, id: null, data: example }, contentTopic, defaults)).path).toBe(
      'id',
    )
  })

  it('may be a type with its data, and other attributes', () => {
    const line = { type: 'content.recorded', data: example }
    expect(rightOf(fromLine(line, contentTopic, defaults))).toEqual({ ...given, ...line })
    expect(rightOf(fromLine({ ...line, id: '7' }, contentTopic, defaults)).id).toBe('7')
  })

  it('has the defaults in the place of attributes that are null', () => {
    const line = { type: 'content.recorded', data: example }
    const nulls = { specversion: null, id: null, source: null, time: null, subject: null, own: null }
    expect(rightOf(fromLine({ ...line, ...nulls }, contentTopic, defaults))).toEqual({ ...given, ...line })
  })

  it('may be bare data where the topic has one type of message', () => {
    const message = rightOf(fromLine(observation, observationsTopic, defaults))
    expect(message).toEqual({ ...given, type: 'content.observed', data: observation })
    const why = leftOf(fromLine(example, contentTopic, defaults))
    expect(why).toMatchObject({ reason: 'unknown-type', path: 'type' })
    expect(why.message).toContain('content.recorded, content.removed')
  })

  it.each([null, 7, 'text', [], {}, { type: 'content.recorded' }])('%j is refused', (line) => {
    expect(leftOf(fromLine(line, contentTopic, defaults)).reason).toBe('unknown-type')
    expect(leftOf(fromLine(line, observationsTopic, defaults)).reason).toBe('wrong-shape')
  })

  it('is checked like a record', () => {
    const line = JSON.parse('{"type":"content.recorded","data":{"__proto__":{}}}')
    expect(leftOf(fromLine(line, contentTopic, defaults)).path).toBe('data.__proto__')
  })
})
