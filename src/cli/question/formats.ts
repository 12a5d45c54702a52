import { extname } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { Question } from '../../projections/runtime/question.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'

/** The formats of a question's answer, the one for people first. */
export const formatsOf = ({ rows, prints, pictures = [] }: Question): readonly [string, ...string[]] => [
  'table',
  'json',
  ...(prints === 'rows' ? ['ndjson'] : []),
  ...(rows ? ['csv'] : []),
  ...pictures.map(({ format }) => format),
]

export const defaultFormatOf = ({ prints }: Question, isTTY: boolean): string =>
  isTTY ? 'table' : prints === 'rows' ? 'ndjson' : 'json'

export interface Form {
  readonly format: string
  /** Where it is written to; absent: standard output. */
  readonly file?: string
}

/** The format: that of `--format`, else by the file's name, else a table on a terminal and JSON in a pipe. */
export const formOf = (
  question: Question,
  flags: Readonly<Record<string, unknown>>,
  isTTY: boolean,
): Either<CliFailure, Form> => {
  const { pictures = [], name } = question
  const flagged = pictures.find(({ format, flag }) => flag !== undefined && flags[format] !== undefined)
  if (flagged) return right({ format: flagged.format, file: String(flags[flagged.format]) })
  const file = flags.output === undefined ? undefined : String(flags.output)
  const format =
    flags.format ?? (file === undefined ? defaultFormatOf(question, isTTY) : formatFor(question, file))
  if (format === undefined)
    return left(
      usage(
        `${file}: no format is known by that name`,
        `end it with one of ${formatsOf(question)
          .slice(1)
          .map((one) => `.${one}`)
          .join(', ')}, or say --format`,
      ),
    )
  const isPicture = pictures.some((one) => one.format === format && !isText.has(one.format))
  if (isPicture && isTTY && file === undefined)
    return left(
      usage('a picture is nothing to read on a terminal', `--output ${name}.${format} writes it to a file`),
    )
  return right({ format: String(format), ...(file !== undefined && { file }) })
}

/** A terminal shows them as they are. */
const isText: ReadonlySet<string> = new Set(['dot', 'txt'])

const formatFor = (question: Question, file: string): string | undefined => {
  const ending = extname(file).slice(1).toLowerCase()
  return formatsOf(question).find((format) => format === (ending === 'gv' ? 'dot' : ending))
}
