import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { acceptWithNulls } from '#src/domain/kernel/absent-nulls.ts'
import { explain, NonNegativeInteger, Text } from '#src/domain/kernel/codecs.ts'
import { topicsOf } from '#src/workflows/workflow-model.ts'
import { testSystem } from '../../app/archive.ts'

const codec = t.intersection([
  t.type({
    id: Text,
    parts: t.array(t.intersection([t.type({ name: Text }), t.partial({ size: NonNegativeInteger })])),
  }),
  t.partial({ note: Text, until: t.union([Text, t.null]), about: t.UnknownRecord }),
])
const whole = { id: 'a', parts: [{ name: 'b' }, { name: 'c', size: 3 }] }

describe('null in a message', () => {
  it('is absence where a field may be left out, at any depth', () => {
    const written = {
      ...whole,
      note: null,
      parts: [
        { name: 'b', size: null },
        { name: 'c', size: 3 },
      ],
    }
    const before = structuredClone(written)
    expect(acceptWithNulls(codec, written)).toEqual({ _tag: 'Right', right: whole })
    expect(written).toEqual(before)
  })

  it('keeps its meaning where the codec knows it, and within what a sender may choose', () => {
    const written = { ...whole, until: null, about: { colour: null }, note: null }
    expect(acceptWithNulls(codec, written)).toEqual({
      _tag: 'Right',
      right: { ...whole, until: null, about: { colour: null } },
    })
  })

  it('is refused by name where a field is needed', () => {
    const refused = acceptWithNulls(codec, { ...whole, id: null, note: null })
    expect(refused._tag === 'Left' && explain(refused.left)).toBe('id: wants non-empty text, got null')
    expect(acceptWithNulls(codec, null)).toHaveProperty('left')
  })

  it('is absence in each optional field of each message', async () => {
    const { workflows } = await testSystem()
    const tried = topicsOf(workflows)
      .flatMap(({ messages }) => messages)
      .flatMap(({ type, codec, example }) =>
        optionalOf(codec).map((field) => ({ type, codec, example, field })),
      )
    expect(tried.length).toBeGreaterThan(30)
    for (const { type, codec, example, field } of tried) {
      const { [field]: _, ...without } = example as Record<string, unknown>
      const absent = acceptWithNulls(codec, without)
      if (codec.is({ ...without, [field]: null })) continue
      expect(acceptWithNulls(codec, { ...without, [field]: null }), `${type} ${field}`).toEqual(absent)
    }
  })
})

/** Names of the fields of the outermost object that may be left out. */
const optionalOf = (codec: object): readonly string[] => {
  const { _tag, type, types, props } = codec as {
    readonly _tag?: string
    readonly type?: object
    readonly types?: readonly object[]
    readonly props?: object
  }
  if (_tag === 'PartialType') return Object.keys(props ?? {})
  if (_tag === 'IntersectionType') return (types ?? []).flatMap(optionalOf)
  return type ? optionalOf(type) : []
}
