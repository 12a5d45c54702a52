import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EnvelopeRecord } from '#src/domain/kernel/cloud-event.ts'
import type { InvalidMessage } from '#src/domain/kernel/invalid-message.ts'
import { maxNesting, maxValueBytes } from '#src/domain/kernel/json-text.ts'
import { runs } from '../../runs.ts'
import {
  attributes,
  base64,
  binary,
  example,
  headers,
  leftOf,
  read,
  rightOf,
  structured,
  withoutHeader,
} from './cloud-event-records.ts'

describe('what cannot be used is refused with its reason, its field and a sentence', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  type Bad = [string, EnvelopeRecord, Pick<InvalidMessage, 'reason' | 'path'>, RegExp]
  const bad: readonly Bad[] = [
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
    ...['ce_subject', 'ce_time', 'ce_correlationid', 'content-type'].map(
      (name): Bad => [
        `empty text as ${name}`,
        { ...binary, headers: { ...headers, [name]: '' } },
        { reason: name === 'content-type' ? 'not-json' : 'not-a-cloud-event', path: name },
        new RegExp(`^${name}: `),
      ],
    ),
    [
      'a specversion that is null',
      structured({ ...attributes, specversion: null, data: example }),
      { reason: 'not-a-cloud-event' },
      /neither ce_… headers nor/,
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
      'a leap second',
      { ...binary, headers: { ...headers, ce_time: '2016-12-31T23:59:60Z' } },
      { reason: 'not-a-cloud-event', path: 'ce_time' },
      /a leap second cannot be kept: send the second before it/,
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
      { numRuns: runs(2000) },
    )
  })
})
