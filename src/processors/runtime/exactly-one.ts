import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'

export const has = (input: object, name: string): boolean => Reflect.get(input, name) !== undefined

/** The fields of `codec`, with exactly one of `names` present. */
export const exactlyOne = <Codec extends t.Mixed>(codec: Codec, names: readonly string[]) =>
  annotate(
    t.refinement(
      codec,
      (input: object) => names.filter((name) => has(input, name)).length === 1,
      `exactly one of ${names.join(', ')}`,
    ),
    { oneOf: names.map((name) => ({ required: [name], properties: { [name]: true } })) },
  )
