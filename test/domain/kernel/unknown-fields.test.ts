import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { closedSchemaOf } from '#src/app/documents/json-schema.ts'
import { annotate } from '#src/domain/kernel/annotation.ts'
import { NonNegativeInteger, Text } from '#src/domain/kernel/codecs.ts'
import { jsonText } from '#src/domain/kernel/text-codecs.ts'
import { unknownField } from '#src/domain/kernel/unknown-fields.ts'
import { validatorOf } from '../../contracts/schema-agreement.ts'

const Wish = t.type({
  input: t.intersection([t.type({ job: NonNegativeInteger }), t.partial({ confirmed: t.boolean })]),
  actor: Text,
})

describe('a field that a codec does not name', () => {
  it.each<[string, t.Mixed, unknown, string]>([
    [
      'that belongs further in',
      Wish,
      { input: { job: 1 }, actor: 'ada', confirmed: true },
      'confirmed: there is no such field here; it goes into input: {"input":{"confirmed":true}}',
    ],
    [
      'that belongs at the top',
      Wish,
      { input: { job: 1, actor: 'ada' } },
      'input.actor: there is no such field here; it goes to the top: {"actor":"ada"}',
    ],
    [
      'that is nowhere',
      Wish,
      { input: { jbo: 1 }, actor: 'ada' },
      'input.jbo: there is no such field; there are job, confirmed',
    ],
    [
      'in a list',
      t.type({ rows: t.array(t.partial({ a: t.string })) }),
      { rows: [{ a: 'x' }, { b: 'y' }] },
      'rows.1.b: there is no such field; there are a',
    ],
    [
      'in the member of a union that takes it',
      t.union([t.type({ kind: t.literal('a'), a: t.string }), t.type({ kind: t.literal('b'), b: t.string })]),
      { kind: 'a', a: 'x', b: 'y' },
      'b: there is no such field; there are kind, a',
    ],
    [
      'beside fixed names',
      t.record(t.keyof({ title: null, note: null }), t.string),
      { title: 'x', note: 'y', titel: 'z' },
      'titel: there is no such field; there are title, note',
    ],
    [
      'below a base',
      jsonText(t.partial({ a: t.string })),
      { b: 1 },
      'b: there is no such field; there are a',
    ],
    [
      'below what narrows',
      t.readonly(
        annotate(
          t.refinement(t.exact(t.partial({ a: t.string })), () => true),
          {},
        ),
      ),
      { b: 1 },
      'b: there is no such field; there are a',
    ],
    ['where there are none', t.type({}), { b: 1 }, 'b: there is no such field; there are none'],
  ])('%s is named', (_, codec, value, message) => {
    expect(unknownField(codec, value)).toEqual({ path: message.split(':')[0], message })
    expect(validatorOf(closedSchemaOf(codec))(value)).toBe(false)
  })

  it.each<[string, t.Mixed, unknown]>([
    ['all are named', Wish, { input: { job: 1, confirmed: true }, actor: 'ada' }],
    ['any name may stand there', t.record(t.string, t.number), { a: 1 }],
    ['any value may stand there', t.type({ a: t.unknown }), { a: { b: 1 } }],
    ['it is no object', Wish, [1]],
    ['a union takes an object of any names', t.union([t.type({ a: t.string }), t.UnknownRecord]), { b: 1 }],
    ['a type of our own cannot be read', opaque(), { b: 1 }],
    ['two parts share it', t.intersection([t.type({ a: t.string }), t.type({ a: Text })]), { a: 'x' }],
  ])('is not said where %s', (_, codec, value) => {
    expect(unknownField(codec, value)).toBeUndefined()
  })

  it('is refused by the schema of an intersection, too, whose parts name all', () => {
    const shared = closedSchemaOf(t.intersection([t.type({ a: t.string }), t.type({ a: Text, b: Text })]))
    expect(validatorOf(shared)({ a: 'x', b: 'y' })).toBe(true)
    expect(validatorOf(shared)({ a: 'x', b: 'y', c: 'z' })).toBe(false)
  })
})

function opaque(): t.Mixed {
  return annotate(new t.Type('anything', t.unknown.is, t.success, t.identity), {})
}
