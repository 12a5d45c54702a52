import type { Condition, Value } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { whereSql } from '../query-sql.ts'
import { compareValues } from './place.ts'

export type IsTrueOf = (value: Value) => boolean

/** A condition as SQLite has it, of values that are not in a table. Throws `ViewQueryError`. */
export const conditionOf = (shape: StoredShape, condition: Condition): IsTrueOf => {
  const [wanted = null, behind] = whereSql(shape, [condition]).values
  if (condition.is === 'in') {
    const values = new Set(JSON.parse(String(wanted)) as Value[])
    return (value) => value !== null && values.has(value)
  }
  const { is } = condition
  const isNull = condition.value === null
  if (is === '=' && isNull) return (value) => value === null
  if (is === '!=') return (value) => (isNull ? value !== null : value === null || value !== wanted)
  const compared = (isSo: (order: number) => boolean): IsTrueOf => {
    return (value) => value !== null && isSo(compareValues(value, wanted))
  }
  switch (is) {
    case '=':
      return compared((order) => order === 0)
    case '<':
      return compared((order) => order < 0)
    case '<=':
      return compared((order) => order <= 0)
    case '>':
      return compared((order) => order > 0)
    case '>=':
      return compared((order) => order >= 0)
    case 'prefix':
      return (value) =>
        value !== null &&
        compareValues(value, wanted) >= 0 &&
        (behind === undefined || compareValues(value, behind) < 0)
  }
}
