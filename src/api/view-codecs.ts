import * as t from 'io-ts'
import type { ViewShape } from '../domain/kernel/view.ts'
import { rowCodec } from '../projections/runtime/row-codec.ts'
import { RowsOfAny, Total } from './view-answer.ts'

/** The answer that holds rows of this view. */
export const rowsOf = (view: ViewShape): t.Mixed =>
  t.intersection([t.type({ ...RowsOfAny.props, rows: t.array(rowCodec(view)) }), Total])

/** `DeadLetters` for dead-letters: the schema's name in generated clients. */
export const schemaNameOf = ({ name }: ViewShape): string =>
  name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
