import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Asked } from '../../app/ask-question.ts'
import { explain } from '../../domain/kernel/codecs.ts'
import { withDefaults } from '../../projections/runtime/field.ts'
import type { Question } from '../../projections/runtime/question.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { parseFields } from '../do/read-fields.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { parsePoint } from '../point.ts'

export type QuestionFlags = Readonly<Record<string, unknown>> & { readonly asOf?: string }
type Input = Asked['input']

/** The question's input, from arguments and flags that their codecs have read. */
export const askedBy = (
  { signal }: Session,
  { input }: Question,
  given: Input,
  flags: QuestionFlags,
): Either<CliFailure, Asked> => {
  const point = flags.asOf === undefined ? undefined : parsePoint(flags.asOf)
  if (point && isLeft(point)) return left(usage(point.left))
  const [pair] = Object.entries(input).find(([, { pair }]) => pair) ?? []
  const pairs = pair === undefined ? right({}) : readPairs({ input }, given[pair] as readonly string[])
  if (isLeft(pairs)) return pairs
  const all: Input = { ...flags, ...given, ...(pair !== undefined && { [pair]: undefined }), ...pairs.right }
  return right({
    input: withDefaults(input, all),
    asOf: point && { point: point.right, words: flags.asOf as string },
    signal,
    isShared: false,
  })
}

/** `name=value`, each read by the codec of its field. */
const readPairs = (
  { input }: Pick<Question, 'input'>,
  texts: readonly string[],
): Either<CliFailure, Input> => {
  const given = parseFields(texts)
  if (isLeft(given)) return left(usage(given.left.message, given.left.hint))
  const fields = Object.fromEntries(Object.entries(input).filter(([, { pair }]) => pair))
  const read: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(given.right)) {
    const codec = fields[name]?.codec
    if (!codec) return left(usage(`there is no field ${name}`, didYouMean(name, Object.keys(fields))))
    const value = codec.validate(text, [{ key: name, type: codec, actual: text }])
    if (isLeft(value)) return left(usage(explain(value.left)))
    read[name] = value.right
  }
  return right(read)
}
