import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import type * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { jsonSchema } from '#src/app/documents/json-schema.ts'
import type { EventSpec } from '#src/domain/kernel/event-set.ts'
import type { TopicSpec } from '#src/domain/kernel/message.ts'
import { runs } from '../runs.ts'
import { mutationsOf, valuesOf } from './codec-values.ts'

/** One for all: each would compile the schemas of schemas anew. */
const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)

export const validatorOf = (schema: object) => ajv.compile(schema)

/**
 * What a codec takes its schema takes; what it refuses the schema refuses, save where the refusal comes from one of
 * `beyond`: codecs that look closer than JSON Schema can.
 */
export const expectAgreement = (
  codec: t.Mixed,
  beyond: readonly t.Mixed[] = [],
  examples: readonly unknown[] = [],
): void => {
  const validate = validatorOf(jsonSchema(codec))
  const values = fc.oneof(valuesOf(codec), ...(examples.length > 0 ? [fc.constantFrom(...examples)] : []))
  fc.assert(
    fc.property(
      values.chain((value) => fc.oneof(fc.constant(value), mutationsOf(value))),
      (value) => {
        const decoded = codec.decode(value)
        const valid = validate(value)
        const why = `${JSON.stringify(value)}: ${JSON.stringify(validate.errors)}`
        if (!(decoded._tag === 'Left' && valid && refusedBy(beyond, decoded.left)))
          expect(valid, why).toBe(decoded._tag === 'Right')
        // What is kept can be read again, by us and by whoever holds the schema.
        if (decoded._tag === 'Right') {
          expect(validate(decoded.right)).toBe(true)
          expect(codec.decode(decoded.right)).toEqual(decoded)
        }
      },
    ),
    { numRuns: runs(500) },
  )
}

const refusedBy = (codecs: readonly t.Mixed[], errors: t.Errors): boolean =>
  errors.some(({ context }) => codecs.some((codec) => context.at(-1)?.type === codec))

/** Every workflow's topics and event sets pass this. */
export const describeSchemas = (
  workflow: string,
  topics: readonly TopicSpec[],
  sets: readonly { readonly specs: ReadonlyMap<string, EventSpec> }[],
  beyond: readonly t.Mixed[] = [],
): void => {
  describe(`${workflow}: schemas agree with codecs`, () => {
    const messages = topics.flatMap((topic) => topic.messages)
    it.each(messages.map((spec) => [spec.type, spec] as const))('message %s, and its example', (_, spec) => {
      const validate = validatorOf(jsonSchema(spec.codec))
      expect(validate(spec.example), JSON.stringify(validate.errors)).toBe(true)
      expectAgreement(spec.codec, beyond, [spec.example])
    })
    const events = sets.flatMap((set) => [...set.specs.values()])
    it.each(events.map((spec) => [spec.type, spec] as const))('event %s', (_, spec) => {
      expectAgreement(spec.codec, beyond)
    })
  })
}
