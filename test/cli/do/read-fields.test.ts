import * as t from 'io-ts'
import { describe, expect, test } from 'vitest'
import { decodeFields, parseFields } from '../../../src/cli/do/read-fields.ts'
import { PositiveInteger, Text } from '../../../src/domain/kernel/codecs.ts'

const codec = t.intersection([
  t.type({ store: Text }),
  t.partial({ days: PositiveInteger, replica: t.boolean, tags: t.array(t.string) }),
])
const right = (value: unknown) => ({ _tag: 'Right', right: value })
const left = (message: unknown) => ({ _tag: 'Left', left: expect.objectContaining({ message }) })

describe('fields as they are typed', () => {
  test('are text up to the first sign', () => {
    expect(parseFields(['a=b=c', 'd='])).toEqual(right({ a: 'b=c', d: '' }))
    expect(parseFields(['a'])).toEqual(left('"a" is no field; write key=value'))
    expect(parseFields(['=a'])).toEqual(left('"=a" is no field; write key=value'))
    expect(parseFields(['a=1', 'a=2'])).toEqual(left('a is given twice; give it once'))
  })

  test('are text where the codec takes text, else JSON', () => {
    expect(decodeFields(codec, { store: '60', days: '60', replica: 'true', tags: '["a"]' })).toEqual(
      right({ store: '60', days: 60, replica: true, tags: ['a'] }),
    )
  })

  test('cannot reach the prototype', () => {
    const given = parseFields(['store=main', '__proto__=1'])
    expect(given._tag === 'Right' && decodeFields(codec, given.right)).toEqual(
      left('there is no field __proto__'),
    )
  })

  test('come from JSON as they are', () => {
    expect(decodeFields(codec, { store: 'main', days: 60 })).toEqual(right({ store: 'main', days: 60 }))
  })

  test('that are missing, unknown or wrong are named', () => {
    expect(decodeFields(codec, {})).toEqual(left('store: wants non-empty text, got nothing'))
    expect(decodeFields(codec, { store: 'main', day: '1' })).toEqual({
      _tag: 'Left',
      left: { message: 'there is no field day', hint: expect.stringContaining('did you mean days?') },
    })
    const nested = t.type({ rules: t.partial({ title: t.string }) })
    expect(decodeFields(nested, { rules: '{"titel": "x"}' })).toEqual(
      left('rules.titel: there is no such field; there are title'),
    )
    expect(decodeFields(codec, { store: 'main', days: 'many' })).toEqual(
      left('days: wants whole number from 1, got "many"'),
    )
    expect(decodeFields(codec, { store: 'main', days: '0' })).toEqual(
      left('days: wants whole number from 1, got 0'),
    )
  })
})
