import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { accept, stepsOf } from './codecs.ts'

/**
 * `accept`, for what others write: null in a field that may be left out is its absence, as the serialisers of Java and .NET
 * write it. A null that the codec knows keeps its meaning.
 */
export const acceptWithNulls = <A>(codec: t.Type<A, unknown, unknown>, value: unknown): t.Validation<A> => {
  const decoded = accept(codec, value)
  if (E.isRight(decoded)) return decoded
  const places = decoded.left.flatMap(({ context }) => optionalNull(context) ?? [])
  if (places.length === 0) return decoded
  const copy = structuredClone(value)
  for (const place of places) remove(copy, place)
  return codec.decode(copy)
}

interface Place {
  readonly steps: readonly string[]
}

/** The place of the null that an error is about, if the field may be left out. */
const optionalNull = (context: t.Context): Place | undefined => {
  const i = context.findIndex(({ actual }) => actual === null)
  const parent = context[i - 1]
  return parent && isPartial(parent.type) ? { steps: stepsOf(context.slice(0, i + 1)) } : undefined
}

const isPartial = (codec: object): boolean => {
  const { _tag, type } = codec as { readonly _tag?: string; readonly type?: object }
  if (_tag === 'PartialType') return true
  const wraps = _tag === 'ExactType' || _tag === 'ReadonlyType' || _tag === 'RefinementType'
  return wraps && type !== undefined && isPartial(type)
}

const remove = (value: unknown, { steps }: Place): void => {
  const within = steps
    .slice(0, -1)
    .reduce<unknown>(
      (one, step) => (isObject(one) && Object.hasOwn(one, step) ? one[step] : undefined),
      value,
    )
  if (isObject(within)) delete within[steps.at(-1)!]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
