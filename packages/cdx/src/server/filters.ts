import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Column } from '../lines/columns.ts'
import type { CaptureLine } from '../query/capture-line.ts'
import type { Condition } from '../query/capture-query.ts'
import { columnNamed } from '../query/fields.ts'
import type { Decoded } from './parameters.ts'
import { noField, quoted, wrong } from './parameters.ts'
import { type Matches, startMatch, wholeMatch } from './patterns.ts'

/** The most filters that a request may have. */
const maxFilters = 20

/** Reads one filter. Left: why it is refused, and what to send. */
type ReadFilter = (text: string) => Either<string, Condition>

const filtersWith =
  (read: ReadFilter) =>
  (parameters: URLSearchParams): Decoded<readonly Condition[]> => {
    const given = parameters.getAll('filter').filter((text) => text !== '')
    if (given.length > maxFilters)
      return wrong('filter', `comes ${given.length} times; send ${maxFilters} at most`)
    const filters: Condition[] = []
    for (const text of given) {
      const filter = read(text)
      if (isLeft(filter)) return wrong('filter', `${quoted(text)} ${filter.left}`)
      filters.push(filter.right)
    }
    return right(filters)
  }

/** `[~][!]field:expression`: a pattern for the whole field or, with `~`, a part of it. */
export const outbackcdxFilters = filtersWith((text) => {
  const [, tilde, not, name = '', expression = ''] = /^(~)?(!)?([\w.]+):(.*)$/s.exec(text) ?? []
  const column = columnNamed(name)
  if (column === undefined)
    return left(
      name === '' ? 'has no field; send [~][!]field:expression' : `names no field: ${noField(name)}`,
    )
  const matches = tilde ? right(containing(expression)) : wholeMatch(expression)
  return condition(matches, fieldOf(column), not)
})

/**
 * `[!][=|~][field:]expression`: a part of the field, with `=` all of it, with `~` a pattern for its
 * beginning. Without a field it applies to the line.
 */
export const pywbFilters = filtersWith((text) => {
  const [, not, operator, rest = ''] = /^(!)?([=~])?(.*)$/s.exec(text) ?? []
  const colon = rest.indexOf(':')
  const name = rest.slice(0, Math.max(colon, 0))
  const column = columnNamed(letters[name] ?? name)
  if (colon !== -1 && column === undefined) return left(`names no field: ${noField(name)}`)
  const expression = colon === -1 ? rest : rest.slice(colon + 1)
  return condition(
    operator === '~'
      ? startMatch(expression)
      : right(operator === '=' ? equalTo(expression) : containing(expression)),
    column === undefined ? wholeLine : fieldOf(column),
    not,
  )
})

const letters: Readonly<Record<string, string>> = {
  u: 'url',
  m: 'mime',
  s: 'status',
  l: 'length',
  o: 'offset',
  d: 'digest',
  t: 'timestamp',
  k: 'urlkey',
  f: 'filename',
}

/**
 * `[!][field:]pattern`: a pattern for the whole field, which has a name or a number from 0. Without a field
 * it applies to the whole line.
 */
export const iaFilters = filtersWith((text) => {
  const [, not, rest = ''] = /^(!)?(.*)$/s.exec(text) ?? []
  const colon = rest.indexOf(':')
  if (colon === -1) return condition(wholeMatch(rest), wholeLine, not)
  const name = rest.slice(0, colon)
  const matches = wholeMatch(rest.slice(colon + 1))
  if (/^\d{1,2}$/.test(name))
    return condition(matches, ({ text }) => text.split(' ')[Number(name)] ?? '', not)
  const column = columnNamed(name)
  return column === undefined
    ? left(`names no field: ${noField(name)}`)
    : condition(matches, fieldOf(column), not)
})

const containing =
  (part: string): Matches =>
  (text) =>
    text.includes(part)

const equalTo =
  (whole: string): Matches =>
  (text) =>
    text === whole

const fieldOf =
  (column: Column) =>
  (line: CaptureLine): string =>
    line.field(column)

const wholeLine = ({ text }: CaptureLine): string => text

const condition = (
  matches: Either<string, Matches>,
  textOf: (line: CaptureLine) => string,
  not: string | undefined,
): Either<string, Condition> => {
  if (isLeft(matches)) return matches
  const holds = matches.right
  return right(not ? (line) => !holds(textOf(line)) : (line) => holds(textOf(line)))
}
