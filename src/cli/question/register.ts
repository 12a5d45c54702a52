import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { expectationOf } from '../../domain/kernel/expectation.ts'
import { dashed } from '../../domain/kernel/setting.ts'
import type { Field } from '../../projections/runtime/field.ts'
import type { Question } from '../../projections/runtime/question.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { asOfOption } from '../point.ts'
import { inALine } from '../sentence.ts'
import { defaultFormatOf, formatsOf } from './formats.ts'
import type { QuestionFlags } from './input.ts'

/** Work that a flag wants done before a question is asked. */
export interface First {
  /** `--storage` */
  readonly flag: string
  readonly says: string
  /** A failure of it is told behind the answer. */
  run(session: Session): Promise<CliFailure | undefined>
}

/** `fonds <workflow> <question>`, from the question's declaration. */
export const registerQuestion = (
  group: Command,
  context: CliContext,
  workflow: string,
  question: Question,
  first?: First,
): void => {
  const command = group
    .command(question.name)
    .summary(inALine(question.summary))
    .description(question.description ?? question.summary)
  const { positional, pairs, flags } = sorted(question)
  for (const [, field] of positional) command.addArgument(argumentOf(field))
  const [pair] = pairs
  if (pair) command.argument(`<${pair[1].argument}...>`, 'name=value each')
  for (const [name, field] of flags) command.addOption(optionOf(name, field))
  if (question.history) command.option(...asOfOption)
  if (first) command.option(first.flag, first.says)
  const formats = formatsOf(question)
  const description = `table on a terminal, else ${defaultFormatOf(question, false)}`
  command.addOption(new Option('--format <format>', description).choices(formats))
  if (question.pictures)
    command.option('--output <file>', 'write it there, in the format that its name ends with')
  for (const { format, flag } of question.pictures ?? [])
    if (flag !== undefined) command.option(`--${format} <file>`, flag)

  const names = [...positional, ...pairs.slice(0, 1)].map(([name]) => name)
  command.action(
    running(context, async (session, ...given: unknown[]) => {
      const options = given[names.length] as QuestionFlags
      const arguments_ = names.flatMap((name, i) =>
        given[i] === undefined ? [] : [[name, given[i]] as const],
      )
      const { answerOnTerminal } = await import('./answer.ts')
      const ask = () => answerOnTerminal(session, workflow, question, Object.fromEntries(arguments_), options)
      if (!first || !(first.flag.replace(/^--/, '') in options)) return ask()
      const failure = await first.run(session)
      return (await ask()) ?? failure
    }),
  )
  addExamples(
    command,
    question.examples.map(([typed, does]) => [`${workflow} ${typed}`, does] as const),
  )
}

const sorted = ({ input }: Question) => {
  const all = Object.entries(input)
  return {
    positional: all.filter(([, { argument, pair }]) => argument !== undefined && !pair),
    pairs: all.filter(([, { pair }]) => pair),
    flags: all.filter(([, { argument }]) => argument === undefined),
  }
}

const argumentOf = ({ argument, words, description, codec, required }: Field): Argument => {
  const name = words ? `${argument}...` : argument
  const made = new Argument(required === true ? `<${name}>` : `[${name}]`, inALine(description))
  const read = reading(codec)
  if (words)
    return made.argParser((word, before?: unknown) => read(before === undefined ? word : `${before} ${word}`))
  const choices = choicesOf(codec)
  return choices ? made.choices(choices) : made.argParser(read)
}

const optionOf = (name: string, { description, codec, required, value = 'text' }: Field): Option => {
  const made = new Option(`--${dashed(name)}${value === '' ? '' : ` <${value}>`}`, inALine(description))
  if (required === true) made.makeOptionMandatory()
  if (value === '') return made
  const choices = choicesOf(codec)
  return choices ? made.choices(choices) : made.argParser(reading(codec))
}

const choicesOf = (codec: t.Mixed): readonly string[] | undefined =>
  '_tag' in codec && codec._tag === 'KeyofType'
    ? Object.keys((codec as unknown as t.KeyofC<Record<string, unknown>>).keys)
    : undefined

const reading =
  (codec: t.Mixed) =>
  (text: string): unknown => {
    const read = codec.decode(text)
    if (isLeft(read)) throw new InvalidArgumentError(`It wants ${expectationOf(codec)}.`)
    return read.right
  }
