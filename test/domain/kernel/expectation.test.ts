import * as fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { decode, PositiveInteger } from '#src/domain/kernel/codecs.ts'
import { expectationOf } from '#src/domain/kernel/expectation.ts'
import { workflows } from '#src/workflows/all.ts'
import { commandsOf } from '#src/workflows/workflow.ts'
import { topicsOf } from '#src/workflows/workflow-model.ts'
import { runs } from '../../runs.ts'

describe('what a codec takes, in words', () => {
  it.each<[t.Mixed, string]>([
    [
      t.keyof({ repaired: null, accepted: null, lost: null }, 'settlement'),
      'settlement (repaired, accepted or lost)',
    ],
    [t.keyof({ full: null, normal: null }, 'durability (full or normal)'), 'durability (full or normal)'],
    [t.keyof({ high: null, low: null }), 'high or low'],
    [t.type({}), 'a JSON object'],
    [t.partial({ kind: t.string }), 'a JSON object'],
    [t.intersection([t.type({ a: t.string }), t.partial({ b: t.string })]), 'a JSON object'],
    [t.readonly(t.record(t.string, t.number)), 'a JSON object'],
    [t.array(t.string), 'a list'],
    [t.union([t.string, t.null]), 'text or null'],
    [t.literal('sierra'), '"sierra"'],
    [t.refinement(t.type({ a: t.string }), () => true), 'a JSON object'],
    [PositiveInteger, 'whole number from 1'],
    [t.refinement(t.type({ a: t.number }), () => true, 'pair (a <= b)'), 'pair (a <= b)'],
  ])('%#', (codec, words) => {
    expect(expectationOf(codec)).toBe(words)
  })

  it('a choice of many is cut', () => {
    const many = t.keyof(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`v${i}`, null])))
    expect(expectationOf(many)).toMatch(/^v0, .* or 18 others$/)
  })
})

describe('whatever is sent in the place of a message or command', () => {
  const codecs = [
    ...topicsOf(workflows).flatMap(({ messages }) =>
      messages.map(({ type, codec, example }) => ({ type, codec, example })),
    ),
    ...commandsOf(workflows).map(({ name, codec, example }) => ({ type: name, codec, example })),
  ]
  const other = fc.constantFrom<unknown>(null, [], {}, 'x', -1, true, [null], { x: 1 })

  it.each(codecs)('$type: the answer holds no name of a type', ({ codec, example }) => {
    const fields = Object.keys(example as object)
    const wrong = fc.oneof(
      other,
      fc
        .tuple(fc.constantFrom(...(fields.length > 0 ? fields : ['none'])), other)
        .map(([field, value]) => ({ ...(example as object), [field]: value })),
    )
    fc.assert(
      fc.property(wrong, (value) => {
        const read = decode(codec as t.Decoder<unknown, unknown>, value)
        if (!isLeft(read)) return
        for (const part of read.left.split('; ')) {
          const wanted = /wants (.*), got /.exec(part)?.[1] ?? ''
          expect(wanted).not.toMatch(/[{}|]|<[a-z]|Array|Partial|Readonly|function/)
        }
      }),
      { numRuns: runs(60) },
    )
  })
})
