import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { ConditionOn } from '../domain/kernel/read-views.ts'
import type { Comparison, Value, ViewQuery, ViewShape } from '../domain/kernel/view.ts'

/* Questions to views as people type them, on the command line (`--where`) and in addresses (`?where=`). */

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '^=': 'prefix',
}

/** Without a space before the sign the value is taken as it stands; with one it is trimmed: `size > 10` is `size>10`. */
const condition = /^\s*([^\s=!<>^]+)(?:(\^=|!=|<=|>=|=|<|>)(.*)|\s+(\^=|!=|<=|>=|=|<|>)\s*(.*))$/s

/** Most conditions, and most columns of an order, in one question. */
const maxTerms = 100

const tooMany = (what: string, texts: readonly string[]): Either<string, never> | undefined =>
  texts.length > maxTerms
    ? left(`${what}: ${texts.length} are too many for one question, which takes ${maxTerms}; ask several`)
    : undefined

/**
 * `column=value`, with `=`, `!=`, `<`, `<=`, `>`, `>=` or `^=` (starts with). `null` is no value; a column of
 * numbers takes numbers. Left: a sentence about the first invalid one.
 */
export const parseWhere = <Shape extends ViewShape>(
  texts: readonly string[],
  shape: Shape,
): Either<string, ConditionOn<Shape>[]> => {
  const many = tooMany('where', texts)
  if (many) return many
  const conditions: ConditionOn<Shape>[] = []
  for (const text of texts) {
    const parsed = parseCondition(text, shape)
    if (isLeft(parsed)) return parsed
    conditions.push(parsed.right)
  }
  return right(conditions)
}

const parseCondition = <Shape extends ViewShape>(
  text: string,
  shape: Shape,
): Either<string, ConditionOn<Shape>> => {
  const match = condition.exec(text)
  if (!match)
    return left(
      `where: ${JSON.stringify(text)} is no condition; write column=value, with one of ${Object.keys(comparisons).join(' ')}`,
    )
  const [, column = '', tight, tightValue, spaced, spacedValue] = match
  const whyNot = whyNotColumn('where', column, shape)
  if (whyNot) return left(whyNot)
  const sign = tight ?? spaced ?? ''
  const value = readValue(column, tightValue ?? spacedValue ?? '', shape)
  if (isLeft(value)) return value
  const is = comparisons[sign] as Comparison
  if (value.right === null && is !== '=' && is !== '!=')
    return left(`where: ${column}${sign}null has no answer; null goes with = and != alone`)
  if (value.right !== null && shape.columns[column] === 'json')
    return left(`where: ${column} holds JSON; it can only be asked whether it is null`)
  if (is === 'prefix' && shape.columns[column] !== 'text')
    return left(`where: ${column} holds numbers; ^= asks for the beginning of a text`)
  return right({ column, is, value: value.right })
}

const readValue = (column: string, text: string, shape: ViewShape): Either<string, Value> => {
  if (text === 'null') return right(null)
  const type = shape.columns[column]
  if (type !== 'integer' && type !== 'real') return right(text)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number)
    ? right(number)
    : left(`where: ${column} holds numbers; ${JSON.stringify(text)} is none`)
}

type Order = NonNullable<ViewQuery['orderBy']>

/** `column`, or `-column` for the greatest first; a text may hold several, with commas between. */
export const parseOrder = (texts: readonly string[], shape: ViewShape): Either<string, Order> => {
  const names = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  const many = tooMany('order', names)
  if (many) return many
  const order = names.map((name) =>
    name.startsWith('-') ? { column: name.slice(1), descending: true } : { column: name },
  )
  for (const { column } of order) {
    const whyNot = whyNotColumn('order', column, shape)
    if (whyNot) return left(whyNot)
    if (shape.columns[column] === 'json') return left(`order: ${column} holds JSON, which has no order`)
  }
  return right(order)
}

const whyNotColumn = (what: string, column: string, shape: ViewShape): string | undefined =>
  Object.hasOwn(shape.columns, column)
    ? undefined
    : `${what}: ${shape.name} has no column ${JSON.stringify(column)}; it has ${Object.keys(shape.columns).join(', ')}`
