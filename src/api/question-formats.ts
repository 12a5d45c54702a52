import { type Either, right } from 'fp-ts/lib/Either.js'
import { columnsOf } from '../app/question-columns.ts'
import type { About, Question, QuestionRejection } from '../projections/runtime/question.ts'
import { csv, ndjson } from './http/representation.ts'
import { jsonText } from './http/route.ts'

const ofRows = ['text/csv', 'application/x-ndjson'] as const

/** The content types of a question's answer, JSON first. */
export const contentTypesOf = ({ rows, pictures = [] }: Question): readonly [string, ...string[]] => [
  'application/json',
  ...pictures.map(({ contentType }) => contentType),
  ...(rows ? ofRows : []),
]

const typeNames: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/x-ndjson': 'NDJSON',
  'text/csv': 'CSV',
  'text/html': 'HTML',
  'text/plain': 'plain text',
  'image/svg+xml': 'a picture (SVG)',
  'text/vnd.graphviz': 'DOT',
}

/** The content type as people call it. */
export const nameOfType = (type: string): string => typeNames[type] ?? type

export const represent = async (
  { name, rows, pictures = [] }: Question,
  answer: unknown,
  about: About<Readonly<Record<string, unknown>>>,
  type: string,
): Promise<Either<QuestionRejection, string>> => {
  const picture = pictures.find(({ contentType }) => contentType === type)
  if (picture) return picture.draw(answer, about)
  if (type === 'application/json') return right(jsonText(answer))
  if (!rows) throw new Error(`${name} has no rows for ${type}`)
  const found = rows.of(answer)
  return right(type === 'text/csv' ? csv(found, columnsOf(rows, found)) : ndjson(found))
}
