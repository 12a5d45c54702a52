import type { Question } from '../projections/runtime/question.ts'
import { fieldsOf } from './documents/json-schema.ts'

/**
 * Columns of a CSV: the fields of all rows, since the first one may lack what others have. Where there is no row, the
 * fields that one may have: a spreadsheet gets its headings also then.
 */
export const columnsOf = (
  { row }: NonNullable<Question['rows']>,
  found: readonly object[],
): readonly string[] => {
  if (found.length > 0) return Object.keys(Object.assign({}, ...found))
  return row ? fieldsOf(row) : []
}
