import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { jsonSchema, NoSchema, schemaOf } from '#src/app/documents/json-schema.ts'
import { Checksum } from '#src/domain/fixity/checksum.ts'
import { events } from '#src/domain/fixity/events.ts'
import { Path } from '#src/domain/fixity/item.ts'
import { topics } from '#src/domain/fixity/messages.ts'
import { storeEvents } from '#src/domain/fixity/store/events.ts'
import { events as indexingEvents } from '#src/domain/indexing/events.ts'
import { FileName, Location } from '#src/domain/indexing/file.ts'
import { topics as indexingTopics } from '#src/domain/indexing/messages.ts'
import { annotate } from '#src/domain/kernel/annotation.ts'
import { NonNegativeInteger, Text, Time } from '#src/domain/kernel/codecs.ts'
import { describeSchemas, validatorOf } from '../../contracts/schema-agreement.ts'

describe('a codec as a schema', () => {
  const text = { type: 'string', minLength: 1 }
  const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  const cases: readonly [string, t.Mixed, object][] = [
    ['null', t.null, { type: 'null' }],
    ['unknown', t.unknown, {}],
    ['refinement', Text, text],
    ['literal', t.literal('a'), { const: 'a' }],
    ['keyof', t.keyof({ a: null, b: null }), { enum: ['a', 'b'] }],
    ['array', t.array(t.boolean), { type: 'array', items: { type: 'boolean' } }],
    ['readonly array', t.readonlyArray(t.number), { type: 'array', items: { type: 'number' } }],
    ['readonly', t.readonly(t.type({ a: t.string })), schemaOf(t.type({ a: t.string }))],
    ['exact', t.exact(t.type({ a: t.string })), schemaOf(t.type({ a: t.string }))],
    ['untyped array', t.UnknownArray, { type: 'array' }],
    ['untyped object', t.UnknownRecord, { type: 'object' }],
    [
      'tuple',
      t.tuple([Text, t.null]),
      { type: 'array', prefixItems: [text, { type: 'null' }], items: false, minItems: 2 },
    ],
    [
      'interface with a field that may be absent',
      t.type({ a: Text, b: t.union([t.number, t.undefined]) }),
      { type: 'object', properties: { a: text, b: { type: 'number' } }, required: ['a'] },
    ],
    ['partial', t.partial({ a: Text }), { type: 'object', properties: { a: text } }],
    [
      'intersection of objects as one object',
      t.intersection([t.type({ a: Text }), t.partial({ b: NonNegativeInteger })]),
      { type: 'object', properties: { a: text, b: whole }, required: ['a'] },
    ],
    [
      'intersection with a shared field',
      t.intersection([t.type({ a: t.string }), t.type({ a: Text })]),
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { a: text }, required: ['a'] },
        ],
      },
    ],
    ['union', t.union([Text, t.null]), { anyOf: [text, { type: 'null' }] }],
    ['union of literals', t.union([t.literal('a'), t.literal(1)]), { enum: ['a', 1] }],
    [
      'dictionary',
      t.record(t.string, t.number),
      { type: 'object', additionalProperties: { type: 'number' } },
    ],
    [
      'dictionary of fixed names',
      t.record(t.keyof({ a: null }), t.number),
      { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    ],
    [
      'a description',
      annotate(t.array(t.string), { description: 'd' }),
      { type: 'array', items: { type: 'string' }, description: 'd' },
    ],
  ]
  it.each(cases)('%s', (_, codec, schema) => {
    expect(schemaOf(codec)).toEqual(schema)
    expect(validatorOf(jsonSchema(codec))).toBeTypeOf('function')
  })

  it('names its dialect, and says what it is told to', () => {
    expect(jsonSchema(Text, { id: 'urn:x', title: 'X', examples: ['a'] })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:x',
      title: 'X',
      examples: ['a'],
      ...text,
    })
  })

  const opaque = new t.Type<string>('opaque', t.string.is, t.string.validate, t.identity)
  it.each([
    ['a type of our own', opaque],
    ['a predicate', t.refinement(t.string, (s) => s === 'x', 'opaque')],
    ['either deep inside', t.type({ a: t.array(t.union([t.null, opaque])) })],
  ])('%s that nobody annotated is an error', (_, codec) => {
    expect(() => schemaOf(codec)).toThrow(NoSchema)
    expect(() => schemaOf(codec)).toThrow(/"opaque" has no JSON Schema/)
  })
})

describeSchemas('fixity', topics, [events, storeEvents], [Checksum])
describeSchemas('indexing', indexingTopics, [indexingEvents], [FileName, Location])

describe('what JSON Schema cannot say', () => {
  const differences: readonly [string, t.Mixed, unknown, 'codec' | 'schema'][] = [
    ['half a character', Text, '\ud800', 'schema'],
    ['the digest of a known algorithm', Checksum, { algorithm: 'md5', value: 'short' }, 'schema'],
    ['a length counted in UTF-16', Path, '😀'.repeat(2049), 'schema'],
    ['a time without seconds, which RFC 3339 does not know', Time, '2026-01-31T12:00Z', 'codec'],
  ]
  it.each(differences)('%s', (_, codec, value, taker) => {
    expect(codec.decode(value)._tag).toBe(taker === 'codec' ? 'Right' : 'Left')
    expect(validatorOf(jsonSchema(codec))(value)).toBe(taker === 'schema')
  })
})

it('what all texts share takes no annotation, a text of its own does, and the others stay as they are', () => {
  expect(() => annotate(t.string, { maxLength: 5 })).toThrow('annotate a new codec')
  expect(schemaOf(annotate(new t.StringType(), { maxLength: 5 }))).toEqual({ type: 'string', maxLength: 5 })
  expect(schemaOf(t.string)).toEqual({ type: 'string' })
})
