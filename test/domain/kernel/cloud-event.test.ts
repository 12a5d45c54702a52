import * as fc from 'fast-check'
import type { Either } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { contentTopic, observationsTopic, topics } from '#src/domain/fixity/messages.ts'
import { type EnvelopeRecord, fromLine, readMessage, writeMessage } from '#src/domain/kernel/cloud-event.ts'
import type { InvalidMessage } from '#src/domain/kernel/invalid-message.ts'
import { maxNesting, maxValueBytes } from '#src/domain/kernel/json-text.ts'

const example = contentTopic.messages[0].example
const key = 'main/letters/1912/03.tif'
const now = '2026-02-01T08:00:00.000Z'
const headers = {
  ce_specversion: '1.0',
  ce_id: 'a-1',
  ce_source: '/scanner/7',
  ce_type: 'content.recorded',
  ce_time: '2026-01-31T13:00:00+01:00',
  ce_subject: 'box 12',
  ce_correlationid: 'delivery-9',
  ce_traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'content-type': 'application/json; charset=UTF-8',
}
const attributes = { specversion: '1.0', id: 'a-1', source: '/scanner/7', type: 'content.recorded' }
const binary: EnvelopeRecord = {
  log: 'log-1',
  topic: contentTopic.name,
  partition: 3,
  offset: 41n,
  key,
  headers,
  value: JSON.stringify(example),
  timestamp: now,
}
const structured = (envelope: unknown): EnvelopeRecord => ({
  ...binary,
  headers: {},
  value: JSON.stringify(envelope),
})
const withoutHeader = (...names: string[]): EnvelopeRecord => ({
  ...binary,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
})
const utf8 = (text: string) => new TextEncoder().encode(text)
const base64 = (text: string) => btoa(String.fromCharCode(...utf8(text)))

const rightOf = <A>(result: Either<InvalidMessage, A>): A => {
  if (result._tag === 'Left') throw new Error(`unusable: ${JSON.stringify(result.left)}`)
  return result.right
}
const leftOf = (result: Either<InvalidMessage, unknown>): InvalidMessage => {
  if (result._tag === 'Right') throw new Error('it was read')
  return result.left
}
const read = (record: EnvelopeRecord) => readMessage(record, contentTopic)

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
})

describe('what cannot be used is refused with its reason, its field and a sentence', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const bad: readonly [string, EnvelopeRecord, Pick<InvalidMessage, 'reason' | 'path'>, RegExp][] = [
    [
      'unknown type',
      { ...binary, headers: { ...headers, ce_type: 'content.eaten' } },
      { reason: 'unknown-type', path: 'type' },
      /takes no content\.eaten; it takes content\.recorded, content\.removed/,
    ],
    [
      'wrong shape',
      { ...binary, value: JSON.stringify({ ...example, checksums: [{ algorithm: 'md5', value: 'zz' }] }) },
      { reason: 'wrong-shape', path: 'data.checksums.0' },
      /checksums\.0: is no md5 digest/,
    ],
    [
      'path out of the store',
      { ...binary, value: JSON.stringify({ ...example, path: '../etc/passwd' }) },
      { reason: 'wrong-shape', path: 'data.path' },
      /leave the store/,
    ],
    [
      'wrong key',
      { ...binary, key: 'main/x' },
      { reason: 'wrong-key', path: 'key' },
      /must be "main\/letters/,
    ],
    [
      'no key',
      { ...binary, key: null },
      { reason: 'wrong-key', path: 'key' },
      /no key.*must be "main\/letters/,
    ],
    [
      'huge value',
      { ...binary, value: `"${'x'.repeat(maxValueBytes)}"` },
      { reason: 'too-large' },
      /the limit is 1048576/,
    ],
    [
      'huge value by its bytes',
      { ...binary, value: `"${'字'.repeat(maxValueBytes / 2)}"` },
      { reason: 'too-large' },
      /is 1572866 bytes/,
    ],
    [
      'invalid UTF-8',
      { ...binary, value: Uint8Array.of(0x22, 0xc3, 0x28, 0x22) },
      { reason: 'not-utf8' },
      /not valid UTF-8/,
    ],
    [
      'another charset',
      { ...binary, headers: { ...headers, 'content-type': 'application/json; charset=latin1' } },
      { reason: 'not-utf8', path: 'content-type' },
      /UTF-8/,
    ],
    ['not JSON', { ...binary, value: 'hello' }, { reason: 'not-json' }, /not JSON/],
    ['NaN', { ...binary, value: '{"size":NaN}' }, { reason: 'not-json' }, /not JSON/],
    [
      'XML',
      { ...binary, headers: { ...headers, 'content-type': 'application/xml' } },
      { reason: 'not-json', path: 'content-type' },
      /send application\/json/,
    ],
    ['empty text', { ...binary, value: '' }, { reason: 'not-json' }, /empty/],
    ['no bytes', { ...binary, value: new Uint8Array() }, { reason: 'not-json' }, /empty/],
    ['a tombstone', { ...binary, value: null }, { reason: 'not-json' }, /empty/],
    ['null', { ...binary, value: 'null' }, { reason: 'wrong-shape', path: 'data' }, /got null/],
    [
      'missing id and source',
      withoutHeader('ce_id', 'ce_source'),
      { reason: 'not-a-cloud-event', path: 'ce_id' },
      /lacks ce_id, ce_source;/,
    ],
    [
      'missing id and source, structured',
      structured({ specversion: '1.0', type: 'content.recorded', data: example }),
      { reason: 'not-a-cloud-event', path: 'id' },
      /lacks id, source;/,
    ],
    [
      'no attributes at all',
      { ...binary, headers: {} },
      { reason: 'not-a-cloud-event' },
      /neither ce_… headers nor/,
    ],
    [
      'cloudevents+json without specversion',
      {
        ...structured({ ...attributes, specversion: undefined, data: example }),
        headers: { 'content-type': 'application/cloudevents+json' },
      },
      { reason: 'not-a-cloud-event', path: 'specversion' },
      /lacks specversion/,
    ],
    [
      'a batch',
      { ...binary, headers: { 'content-type': 'application/cloudevents-batch+json' }, value: '[]' },
      { reason: 'not-a-cloud-event', path: 'content-type' },
      /one event a record/,
    ],
    [
      'specversion 0.3',
      { ...binary, headers: { ...headers, ce_specversion: '0.3' } },
      { reason: 'not-a-cloud-event', path: 'ce_specversion' },
      /is 0\.3; Fonds reads CloudEvents 1\.0/,
    ],
    [
      'empty id',
      { ...binary, headers: { ...headers, ce_id: '' } },
      { reason: 'not-a-cloud-event', path: 'ce_id' },
      /1 to 1024 characters/,
    ],
    [
      'an id that is a number',
      structured({ ...attributes, id: 7, data: example }),
      { reason: 'not-a-cloud-event', path: 'id' },
      /wants text .* got 7/,
    ],
    [
      'a source with a line break',
      { ...binary, headers: { ...headers, ce_source: 'a\nb' } },
      { reason: 'not-a-cloud-event', path: 'ce_source' },
      /control characters/,
    ],
    [
      'an id of a megabyte',
      { ...binary, headers: { ...headers, ce_id: 'x'.repeat(1e6) } },
      { reason: 'not-a-cloud-event', path: 'ce_id' },
      /1 to 1024/,
    ],
    [
      'no such day',
      { ...binary, headers: { ...headers, ce_time: '2026-02-30T00:00:00Z' } },
      { reason: 'not-a-cloud-event', path: 'ce_time' },
      /wants a time with a zone/,
    ],
    [
      'a time without a zone',
      structured({ ...attributes, time: '2026-01-31T12:00:00', data: example }),
      { reason: 'not-a-cloud-event', path: 'time' },
      /wants a time with a zone/,
    ],
    [
      'a time that cannot be made text',
      structured({ ...attributes, time: { toString: 1 }, data: example }),
      { reason: 'not-a-cloud-event', path: 'time' },
      /got {"toString":1}/,
    ],
    ['no data', structured(attributes), { reason: 'wrong-shape', path: 'data' }, /data: is missing/],
    [
      'data twice',
      structured({ ...attributes, data: example, data_base64: base64('{}') }),
      { reason: 'not-a-cloud-event', path: 'data_base64' },
      /both/,
    ],
    [
      'no base64',
      structured({ ...attributes, data_base64: '%%%' }),
      { reason: 'not-a-cloud-event', path: 'data_base64' },
      /not base64/,
    ],
    [
      'base64 of no JSON',
      structured({ ...attributes, data_base64: base64('hello') }),
      { reason: 'not-json', path: 'data_base64' },
      /data_base64: the value is not JSON/,
    ],
    [
      'data of another kind',
      structured({ ...attributes, datacontenttype: 'text/plain', data: 'hello' }),
      { reason: 'not-json', path: 'datacontenttype' },
      /send application\/json/,
    ],
    [
      'a smuggled prototype',
      { ...binary, value: JSON.stringify(example).replace('{', '{"__proto__":{"version":7},') },
      { reason: 'wrong-shape', path: '__proto__' },
      /no name for a field/,
    ],
    [
      'a smuggled prototype, escaped and deep',
      { ...binary, value: '{"checksums":[{"\\u005f_proto__":{}}]}' },
      { reason: 'wrong-shape', path: 'checksums.0.__proto__' },
      /no name for a field/,
    ],
    ['10,000 levels', { ...binary, value: deep }, { reason: 'wrong-shape' }, /deeper than 128 levels/],
    [
      '10,000 levels beside good data',
      { ...binary, value: JSON.stringify({ ...example, more: 0 }).replace(/0}$/, `${deep}}`) },
      { reason: 'wrong-shape' },
      /deeper than 128/,
    ],
    [
      'a number beyond all',
      { ...binary, value: JSON.stringify(example).replace('"size":0', '"size":1e999') },
      { reason: 'wrong-shape', path: 'size' },
      /too great/,
    ],
    [
      'a number beyond whole numbers',
      { ...binary, value: JSON.stringify(example).replace('"size":0', '"size":9007199254740993') },
      { reason: 'wrong-shape', path: 'data.size' },
      /whole number/,
    ],
    [
      'half a character',
      { ...binary, value: '{"path":"\\ud800"}' },
      { reason: 'wrong-shape', path: 'path' },
      /half a character/,
    ],
  ]
  it.each(bad)('%s', (_, record, expected, sentence) => {
    const why = leftOf(read(record))
    expect({ reason: why.reason, path: why.path }).toEqual({ path: undefined, ...expected })
    expect(why.message).toMatch(sentence)
    expect(why.message.length).toBeLessThanOrEqual(1000)
  })

  it('the last of a repeated name counts, for the key as for the data', () => {
    const value = JSON.stringify(example).replace('{', '{"path":"other.tif",')
    expect(rightOf(read({ ...binary, value })).data).toEqual(example)
    expect(leftOf(read({ ...binary, value, key: 'main/other.tif' })).reason).toBe('wrong-key')
  })

  it('nesting up to the limit is read', () => {
    const inner = maxNesting - 1
    const value = JSON.stringify({ ...example, more: 0 }).replace(
      /0}$/,
      `${'['.repeat(inner)}${']'.repeat(inner)}}`,
    )
    expect(read({ ...binary, value })._tag).toBe('Right')
  })

  it('whatever the bytes and headers, an answer and no exception', () => {
    const anyHeaders = fc.dictionary(
      fc.constantFrom(...Object.keys(headers), 'Content-Type', 'CE_ID', 'x'),
      fc.oneof(fc.constantFrom(...Object.values(headers)), fc.string({ unit: 'binary' })),
    )
    const anyValue = fc.oneof(fc.uint8Array(), fc.json(), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(anyHeaders, anyValue, fc.option(fc.string()), (someHeaders, value, someKey) => {
        const result = read({ ...binary, headers: someHeaders, value, key: someKey })
        if (result._tag === 'Left') expect(result.left.message).toBeTruthy()
      }),
      { numRuns: 2000 },
    )
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
