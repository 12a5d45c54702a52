import type { Value, ViewQuery } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { idTableOf } from '../ids.ts'
import type { Statements } from '../statements.ts'

/* History stores ids as numbers, as the current rows do: see ids.ts. */

/** A query as the tables of a view store its values: `=` of an id compares its number. */
export interface StoredQuery {
  readonly shape: StoredShape
  readonly query: ViewQuery
}

/** Returns undefined if the query names an id that no row ever held. */
export const storedQuery = (
  statements: Statements,
  shape: StoredShape,
  generation: number,
  query: ViewQuery,
): StoredQuery | undefined => {
  const { ids } = shape
  if (!ids) return { shape, query }
  const where = (query.where ?? []).map((condition) => {
    if (!ids.includes(condition.column) || condition.is !== '=') return condition
    return { ...condition, value: numberOf(statements, generation, condition.value) }
  })
  if (where.some(({ value }) => value === undefined)) return undefined
  const columns = { ...shape.columns, ...Object.fromEntries(ids.map((name) => [name, 'integer' as const])) }
  return { shape: { ...shape, columns }, query: { ...query, where: where as ViewQuery['where'] & {} } }
}

const numberOf = (statements: Statements, generation: number, id: Value): Value | undefined =>
  statements(`SELECT __number FROM ${idTableOf(generation)} WHERE __id = ?`).get(id)?.[0]

/** Converts a key to the numbers of its ids, and back. Undefined if no row ever held one of them. */
export const keyCoding = (statements: Statements, { key, ids = [] }: StoredShape, generation: number) => {
  const coded =
    (code: (value: Value) => Value | undefined) =>
    (values: readonly Value[]): readonly Value[] | undefined => {
      const all = values.map((value, i) => (ids.includes(key[i] as string) ? code(value) : value))
      return all.some((value) => value === undefined) ? undefined : (all as Value[])
    }
  const idOf = (number: Value) =>
    statements(`SELECT __id FROM ${idTableOf(generation)} WHERE __number = ?`).get(number)?.[0]
  return { stored: coded((id) => numberOf(statements, generation, id)), named: coded(idOf) }
}

/** Reads the original values of columns from those that their tables store. */
export const createIdReader = (
  statements: Statements,
  { ids = [] }: StoredShape,
  generation: number,
  columns: readonly string[],
) => {
  const places = columns.flatMap((column, i) => (ids.includes(column) ? [i] : []))
  if (places.length === 0) return (values: readonly Value[]): readonly Value[] => values
  const idOf = statements(`SELECT __id FROM ${idTableOf(generation)} WHERE __number = ?`)
  return (values: readonly Value[]): readonly Value[] => {
    const named = [...values]
    for (const i of places) named[i] = named[i] === null ? null : (idOf.get(named[i] as Value)?.[0] ?? null)
    return named
  }
}
