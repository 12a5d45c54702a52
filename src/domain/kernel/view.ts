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
  /** Indexes that leave out the rows whose last column in them is null: for what few rows have. */
  readonly sparse?: readonly (readonly string[])[]
  /**
   * True where keys come in no order, as names and hashes do: rows are stored in the order in which they come. Else each new row
   * would change a page of its own, and cost more the more rows there are.
   */
  readonly isUnordered?: boolean
  /**
   * True where only the event that puts a row ever writes it. So none is looked for before, and memory keeps none: what grows with
   * each event would else take the place of what is read again.
   */
  readonly isWrittenOnce?: boolean
  /**
   * Columns of text that hold ids which many rows have, of this view or another of its projection. Each id is stored once, and rows
   * and indexes hold a number for it. Numbers grow in the order in which ids come: new rows then lie at the end of each index.
   */
  readonly ids?: readonly string[]
  /** Its past is kept, so that it is asked as of any moment without folding. Absent: it is not, and costs nothing. */
  readonly history?: History
}

/** How the past of a view is kept: each event that writes a row begins a version of it, which the next one ends. */
export interface History {
  /**
   * Columns that pages of the past are asked for by, beside the key: `[['state']]` finds the first rows of a state, in the order
   * of the key. Every other question about the past reads all rows of its moment.
   */
  readonly by?: readonly (readonly string[])[]
  /**
   * False where pages of the past are not asked for in the order of the key: by it a single row is found; and, where rows are written
   * once, all of one first column.
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

/** A column type that says more of its values than its name does. */
type Holding<Type extends ColumnType, Value> = Type & { readonly [holds]: Value }

/*
 * A column whose type is a bare word may be null. These say what is in it, and that null is not, unless they name it:
 *
 *     state: text<'open' | 'closed'>(), note: 'text', sums: json<readonly Checksum[] | null>()
 */
export const text = <Held extends string | null = string>() => 'text' as Holding<'text', Held>
export const integer = <Held extends number | null = number>() => 'integer' as Holding<'integer', Held>
export const json = <Held>() => 'json' as Holding<'json', Held>

export type ColumnOf<Shape extends ViewShape> = keyof Shape['columns'] & string

/** Of a column of the key. */
export type KeyValueOf<Type> = Type extends { readonly [holds]: infer Held }
  ? Held
  : Type extends ColumnType
    ? ColumnValues[Type]
    : never

type ValueOf<Type> = Type extends { readonly [holds]: infer Held } ? Held : KeyValueOf<Type> | null

/** A row as its shape says, where that is written `as const satisfies ViewShape`. */
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
  /** What its rows hold. Default: every column. */
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
  /** Most rows: the first in the order of the groups. */
  readonly limit?: number
}

/** What can be asked: a view store, or one of the past. */
export interface Views {
  /** Unknown views and columns throw `ViewQueryError`. */
  query(view: string, query: ViewQuery): readonly Row[]
  tally(view: string, tally: Tally): readonly Row[]
}

/** What a view is asked by, as of a moment, so that few rows are read. */
export const foundBy = ({ key, history }: ViewShape): string =>
  `few are read by its key (${key.join(', ')})${(history?.by ?? []).map((columns) => `, or by ${columns.join(', then ')}`).join('')}`

/** The view does not keep the past that is asked for. */
export class PastNotKept extends Error {
  override readonly name = 'PastNotKept'
}

/** The views that are asked as of a point are not folded up to there yet: up to `position` they will be. */
export class PastNotFolded extends PastNotKept {
  readonly position: bigint

  constructor(message: string, position: bigint) {
    super(message)
    this.position = position
  }
}

/** A question about the past that would read too many rows. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

/** A question that cannot be asked: the message names the column and those that exist. */
export class ViewQueryError extends Error {
  override readonly name = 'ViewQueryError'
}
