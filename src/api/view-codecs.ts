import * as t from 'io-ts'
import type { ColumnType, ViewShape } from '../domain/kernel/view.ts'
import { RowsOfAny, Total } from './view-answer.ts'

/** The answer that holds rows of this view. */
export const rowsOf = (view: ViewShape): t.Mixed =>
  t.intersection([t.type({ ...RowsOfAny.props, rows: t.array(rowOf(view)) }), Total])

/** A row: columns of the key have a value, all others may be null. */
export const rowOf = ({ key, columns }: ViewShape): t.Mixed =>
  t.type(
    Object.fromEntries(
      Object.entries(columns).map(([name, type]) => {
        const value = values[type]
        return [name, key.includes(name) || type === 'json' ? value : t.union([value, t.null])]
      }),
    ),
  )

const values: Readonly<Record<ColumnType, t.Mixed>> = {
  text: t.string,
  integer: t.number,
  real: t.number,
  json: t.unknown,
}

/** `DeadLetters` for dead-letters: the schema's name in generated clients. */
export const schemaNameOf = ({ name }: ViewShape): string =>
  name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
