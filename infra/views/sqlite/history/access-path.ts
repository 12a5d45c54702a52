import type { Condition, Value, ViewQuery } from '../../../../src/domain/kernel/view.ts'
import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { type OrderTerm, orderOf, whereSql } from '../query-sql.ts'
import { hasVersions, historyOrders, isNumberedIn } from './tables.ts'

/** A part of an order, from one place up to another: the first values of both, inclusive. */
export interface Part {
  /** Index in `historyOrders`. */
  readonly order: number
  readonly descending: boolean
  readonly low: readonly Value[]
  readonly high: readonly Value[]
}

/**
 * `one`: by its key. `page`: in an order that the view keeps history in. `still`: among current rows, of which none was
 * ever replaced. `scan`: all rows of the moment are read.
 */
export type Access = { readonly kind: 'one' | 'still' | 'scan' } | ({ readonly kind: 'page' } & Part)

/**
 * Chooses how the rows of a moment are found: by one of the view's orders, if conditions and order match its beginning; otherwise
 * all are read. Places store ids as numbers, except in an order by one id column alone: in others rows cannot be
 * ordered by an id, and a condition on an id must be `=`.
 */
export const accessOf = (shape: StoredShape, { where = [], orderBy }: ViewQuery): Access => {
  const pinned = new Set(where.filter(isPinning).map(({ column }) => column))
  if (shape.key.every((column) => pinned.has(column))) return { kind: 'one' }
  if (!hasVersions(shape) && pinned.has(shape.key[0] ?? '')) return { kind: 'still' }
  const order = orderOf(shape, orderBy)
  const fits = (columns: readonly string[]): boolean => {
    const given = columns.slice(0, firstOpen(columns, pinned))
    const isNumbered = (column: string) => isNumberedIn(columns, column, shape)
    const isServed = (condition: Condition) => {
      const { column, is } = condition
      if (isNumbered(column) && !isPinning(condition)) return false
      return given.includes(column) || (column === columns[given.length] && isRange.has(is))
    }
    const open = order.filter(({ column }) => !given.includes(column))
    return (
      where.every(isServed) &&
      open.every(
        ({ column, isTie }, i) => column === columns[given.length + i] && (isTie || !isNumbered(column)),
      ) &&
      open.every(({ descending }) => descending === open[0]?.descending)
    )
  }
  const orders = historyOrders(shape)
  const number = orders.findIndex(fits)
  const columns = orders[number]
  return columns
    ? {
        kind: 'page',
        order: number,
        descending: isDescending(order),
        ...bounds(shape, where, columns, firstOpen(columns, pinned)),
      }
    : { kind: 'scan' }
}

const firstOpen = (columns: readonly string[], pinned: ReadonlySet<string>): number => {
  const first = columns.findIndex((column) => !pinned.has(column))
  return first < 0 ? columns.length : first
}

const isDescending = (order: readonly OrderTerm[]): boolean => order.at(-1)?.descending ?? false
const isPinning = ({ is, value }: Condition): boolean => is === '=' && value !== null
const isRange: ReadonlySet<Condition['is']> = new Set(['=', '<', '<=', '>', '>=', 'prefix'])

/** Returns bounds that may be wider than the conditions: these are checked for each entry, too. */
const bounds = (
  shape: StoredShape,
  where: readonly Condition[],
  columns: readonly string[],
  first: number,
): Pick<Part, 'low' | 'high'> => {
  const valuesOf = (condition: Condition) => whereSql(shape, [condition]).values
  const pins = columns.slice(0, first).map((column) => {
    const pin = where.find((condition) => condition.column === column && isPinning(condition))
    return (pin && valuesOf(pin)[0]) as Value
  })
  const ranges = where.filter(({ column, value }) => column === columns[first] && value !== null)
  const bound = (of: readonly Condition['is'][], which: number) => {
    const found = ranges.find(({ is }) => of.includes(is))
    return (found && valuesOf(found).at(found.is === 'prefix' ? which : 0)) ?? []
  }
  return {
    low: pins.concat(bound(['>', '>=', 'prefix'], 0)),
    high: pins.concat(bound(['<', '<=', 'prefix'], 1)),
  }
}

/** Returns the key that a query names. */
export const keyOf = (shape: StoredShape, { where = [] }: ViewQuery): readonly Value[] =>
  bounds(shape, where, shape.key, shape.key.length).low
