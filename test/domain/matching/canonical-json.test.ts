import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson, saySame } from '#src/domain/matching/canonical-json.ts'

const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, held]) => [name, turned(held)]),
  )
}

it('is the same for the same value, whatever the order of its names', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value))
    }),
  )
})

it('is JSON of the value, so that other values are other texts', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('keeps apart what is nearly the same', () => {
  const texts = [{}, [], null, '', 0, false, '0', [0], { 0: 0 }, [[]], { a: null }].map(canonicalJson)
  expect(new Set(texts).size).toBe(texts.length)
})

it('a field that is undefined is not there', () => {
  expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}')
})

it('a field named __proto__ is a field', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
})

it('two texts say the same where their values are the same, and only there', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const text = JSON.stringify(one)
      expect(saySame(text, JSON.stringify(turned(one)))).toBe(true)
      expect(saySame(text, JSON.stringify(other))).toBe(canonicalJson(one) === canonicalJson(other))
    }),
  )
})
