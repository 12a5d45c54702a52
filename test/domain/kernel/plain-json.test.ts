import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlainJson } from '#src/domain/kernel/plain-json.ts'

const throughJson = (value: unknown): unknown => {
  const json = JSON.stringify(value)
  return json === undefined ? undefined : JSON.parse(json)
}

test('what is plain comes back from its text as it was', () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true }), (value) => {
      if (isPlainJson(value)) expect(throughJson(value)).toStrictEqual(value)
    }),
  )
})

test('what was read from a text is plain', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(isPlainJson(JSON.parse(json))).toBe(!hasMinusZero(JSON.parse(json)))
    }),
  )
})

const hasMinusZero = (value: unknown): boolean =>
  Object.is(value, -0) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasMinusZero))

test.each([
  ['a field that is undefined', { a: undefined }],
  ['a list with a gap', [undefined]],
  ['a date', { at: new Date(0) }],
  ['not a number', [Number.NaN]],
  ['minus zero', -0],
  ['a function', { toJSON: () => 1 }],
  ['nothing', undefined],
  ['an object of a class', new Map()],
])('%s is not', (_, value) => {
  expect(isPlainJson(value)).toBe(false)
})
