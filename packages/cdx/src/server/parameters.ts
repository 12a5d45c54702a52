import type { Either } from 'fp-ts/lib/Either.js'
import { left, right } from 'fp-ts/lib/Either.js'
import type { OutputColumn } from '../lines/columns.ts'
import type { Collapse, ResumePoint } from '../query/capture-query.ts'
import { columnNamed, fieldNames } from '../query/fields.ts'
import { resumePointOf } from '../query/resume-key.ts'

/** A sentence that names the parameter and says what to send. */
export interface WrongParameter {
  readonly path: string
  readonly message: string
}

export type Decoded<A> = Either<WrongParameter, A>

/* Parameters that several dialects have. An empty one counts as missing. */

export const wrong = (path: string, message: string): Decoded<never> =>
  left({ path, message: `${path}: ${message}` })

export const textOf = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined

export const flagOf = (parameters: URLSearchParams, name: string): boolean =>
  ['true', '1', 'yes', 'on'].includes(parameters.get(name)?.toLowerCase() ?? '')

export const numberOf = (
  parameters: URLSearchParams,
  name: string,
  least = 0,
  most = 1_000_000_000,
): Decoded<number | undefined> => {
  const text = textOf(parameters, name)
  if (text === undefined) return right(undefined)
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most
    ? right(number)
    : wrong(name, `is ${quoted(text)}; send a whole number from ${least} to ${most}`)
}

/** Decodes a time of 1 to 14 digits; of longer ones the first 14. */
export const timeOf = (parameters: URLSearchParams, name: string): Decoded<string | undefined> => {
  const text = textOf(parameters, name)
  if (text === undefined) return right(undefined)
  return /^\d{1,20}$/.test(text)
    ? right(text.slice(0, 14))
    : wrong(name, `is ${quoted(text)}; send 1 to 14 digits of a time, such as 20260131 or 20260131120000`)
}

export const wordOf = <const Word extends string>(
  parameters: URLSearchParams,
  name: string,
  words: readonly Word[],
): Decoded<Word | undefined> => {
  const text = textOf(parameters, name)
  if (text === undefined) return right(undefined)
  const word = words.find((one) => one.toLowerCase() === text.toLowerCase())
  return word === undefined ? wrong(name, `is ${quoted(text)}; send ${words.join(', ')}`) : right(word)
}

/** A field of a line, with its name in the request. */
export interface Field {
  readonly name: string
  readonly column: OutputColumn
}

/** Decodes names that are separated by commas; `dupecount` alone if the answer counts duplicates. */
export const fieldsOf = (
  parameters: URLSearchParams,
  names: readonly string[],
  countsDuplicates = false,
): Decoded<readonly Field[] | undefined> => {
  const parameter = names.find((name) => textOf(parameters, name) !== undefined)
  if (parameter === undefined) return right(undefined)
  const fields: Field[] = []
  for (const name of textOf(parameters, parameter)?.split(',') ?? []) {
    const isCount = countsDuplicates && name.trim() === 'dupecount'
    const column = isCount ? 'dupecount' : columnNamed(name.trim())
    if (column === undefined) return wrong(parameter, noField(name))
    fields.push({ name: name.trim(), column })
  }
  return right(fields)
}

export const noField = (name: string): string =>
  `there is no field ${quoted(name)}; there are ${fieldNames.join(', ')}`

/** `field`, or `field:n` for its first n characters. */
export const collapseOf = (name: string, text: string, keeps: Collapse['keeps']): Decoded<Collapse> => {
  const [, field = '', length] = /^([^:]*)(?::(\d{1,9}))?$/.exec(text) ?? []
  const column = columnNamed(field)
  if (column === undefined)
    return wrong(
      name,
      `is ${quoted(text)}; send a field, or a field and a number of characters (timestamp:8)`,
    )
  const value: Collapse['value'] =
    length === undefined
      ? (line) => line.field(column)
      : (line) => line.field(column).slice(0, Number(length))
  return right({ value, keeps })
}

const maxQuoted = 100
const firstHalfAtEnd = /[\ud800-\udbff]$/

/** Quotes a text, cut between characters and well formed. */
export const quoted = (text: string): string => {
  const whole = text.toWellFormed()
  return JSON.stringify(
    whole.length > maxQuoted ? `${whole.slice(0, maxQuoted - 1).replace(firstHalfAtEnd, '')}…` : whole,
  )
}

/**
 * Refuses parameters of the original server that are not supported: without them the request would mean
 * something else.
 */
export const refuseNamed = (parameters: URLSearchParams, names: readonly string[]): Decoded<undefined> => {
  const name = names.find((one) => textOf(parameters, one) !== undefined && !isOff(parameters.get(one)))
  return name === undefined ? right(undefined) : wrong(name, 'is not offered here; leave it out')
}

const isOff = (text: string | null): boolean => text === 'false' || text === '0'

/** Fields by their names, separated by blanks. */
export const namedFields = (names: string): readonly Field[] =>
  names.split(' ').flatMap((name) => {
    const column = columnNamed(name)
    return column ? [{ name, column }] : []
  })

/** Decodes `resumeKey`, as an answer gave it. */
export const resumeOf = (parameters: URLSearchParams): Decoded<ResumePoint | undefined> => {
  const text = textOf(parameters, 'resumeKey')
  if (text === undefined) return right(undefined)
  if (textOf(parameters, 'page') !== undefined)
    return wrong('resumeKey', 'stands beside page; send one of them')
  const point = resumePointOf(text)
  return point ? right(point) : wrong('resumeKey', `is ${quoted(text)}; send it as an answer gave it`)
}
