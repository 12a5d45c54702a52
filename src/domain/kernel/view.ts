export type ColumnType = 'text' | 'integer' | 'real' | 'json'
export type Value = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** A table of rows. `json` columns hold any JSON value; booleans are integers 0 and 1. */
export interface ViewShape {
  readonly name: string
  readonly description: string
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly indexes?: readonly (readonly string[])[]
  /** It keeps history: queries as of any moment need no folding. Absent: it keeps none, and costs nothing. */
  readonly history?: History
}

/** How a view's history is kept: each event that writes a row begins a version of it, which the next one ends. */
export interface History {
  /**
   * Columns by which pages of history are queried, beside the key: `[['state']]` finds the first rows of a state, in
   * the order of the key. Every other query of history reads all rows of its moment.
   */
  readonly by?: readonly (readonly string[])[]
  /**
   * False if pages of history are not queried in the order of the key. The key then finds a single row; if rows are
   * written once, also all of one first column.
   */
  readonly byKey?: false
}

interface ColumnValues {
  text: string
  integer: number
  real: number
  json: unknown
}

declare const holds: unique symbol

/** A column type with the type of its values. */
type Holding<Type extends ColumnType, Value> = Type & { readonly [holds]: Value }

/*
 * A column whose type is a bare word may be null. These name the type of its values, which excludes null unless it
 * names it:
 *
 *     state: text<'open' | 'closed'>(), note: 'text', sums: json<readonly Checksum[] | null>()
 */
export const text = <Held extends string | null = string>() => 'text' as Holding<'text', Held>
export const integer = <Held extends number | null = number>() => 'integer' as Holding<'integer', Held>
export const json = <Held>() => 'json' as Holding<'json', Held>

export type ColumnOf<Shape extends ViewShape> = keyof Shape['columns'] & string

/** Value of a key column. */
export type KeyValueOf<Type> = Type extends { readonly [holds]: infer Held }
  ? Held
  : Type extends ColumnType
    ? ColumnValues[Type]
    : never

type ValueOf<Type> = Type extends { readonly [holds]: infer Held } ? Held : KeyValueOf<Type> | null

/** A row typed by its shape, which is written `as const satisfies ViewShape`. */
export type RowOf<Shape extends ViewShape> = {
  readonly [Name in keyof Shape['columns']]: Name extends Shape['key'][number]
    ? KeyValueOf<Shape['columns'][Name]>
    : ValueOf<Shape['columns'][Name]>
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'prefix'

export type Condition<Column extends string = string> =
  | { readonly column: Column; readonly is: Comparison; readonly value: Value }
  /** One of these; no row where the list is empty. */
  | { readonly column: Column; readonly is: 'in'; readonly value: readonly (string | number)[] }

export interface ViewQuery<Column extends string = string> {
  /** Columns of its rows. Default: every column. */
  readonly columns?: readonly Column[]
  /** All must hold. `prefix` matches text that starts with the value, byte for byte. */
  readonly where?: readonly Condition<Column>[]
  readonly orderBy?: readonly { readonly column: Column; readonly descending?: boolean }[]
  readonly limit?: number
  readonly offset?: number
}

/** Its rows hold the `by` columns, `count`, and the total of each `sum` column under its own name. */
export interface Tally<Column extends string = string> {
  /** Columns to group by. */
  readonly by: readonly Column[]
  /** Columns to add up, beside the count. */
  readonly sum?: readonly Column[]
  readonly where?: readonly Condition<Column>[]
  /** Limit of rows: the first in the order of the groups. */
  readonly limit?: number
}

/** Queries of views: a view store, or its history. */
export interface Views {
  /** Throws `ViewQueryError` for unknown views and columns. */
  query(view: string, query: ViewQuery): readonly Row[]
  tally(view: string, tally: Tally): readonly Row[]
}

/** Names the columns by which a query as of a moment reads few rows of a view. */
export const foundBy = ({ key, history }: ViewShape): string =>
  `few are read by its key (${key.join(', ')})${(history?.by ?? []).map((columns) => `, or by ${columns.join(', then ')}`).join('')}`

/** The view does not keep the history that a query needs. */
export class HistoryNotKept extends Error {
  override readonly name = 'HistoryNotKept'
}

/** The views are not folded up to the queried point yet: they will be once they reach `position`. */
export class HistoryNotFolded extends HistoryNotKept {
  readonly position: bigint

  constructor(message: string, position: bigint) {
    super(message)
    this.position = position
  }
}

/** A query of history that would read too many rows. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

/** An invalid query: the message names the column and those that exist. */
export class ViewQueryError extends Error {
  override readonly name = 'ViewQueryError'
}
