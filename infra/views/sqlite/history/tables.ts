import type { StoredShape } from '../../../../src/ports/view-store.ts'
import { list, quoted, sqlColumns } from '../shape.ts'

/*
 * Names and columns of the tables of a view that keeps history: README.md describes them. The table of current rows has the
 * columns of `moreColumns`, too. No column of a view begins with @.
 */

const tableFor = (part: string) => (view: string, generation: number) =>
  quoted(`${view}__${generation}__${part}`)

/** Records of ended versions. */
export const versionTableOf = tableFor('past')
/** Links of deleted rows. */
export const deletedTableOf = tableFor('gone')
/** Transactions in which a record got several versions. */
export const runsTableOf = tableFor('runs')
/** Keys of created rows. */
export const createdTableOf = tableFor('came')

/** Blocks of the order `number`, and their changes. */
export const blocksOf = (view: string, generation: number, number: number): string =>
  tableFor(`blocks${number}`)(view, generation)
export const entriesOf = (view: string, generation: number, number: number): string =>
  tableFor(`entries${number}`)(view, generation)

/** Number of a record. */
export const n = quoted('@n')
export const from = quoted('@from')
export const to = quoted('@to')
export const end = quoted('@end')
export const count = quoted('@count')
export const before = quoted('@before')
export const far = quoted('@far')
export const more = quoted('@more')
export const base = quoted('@base')
export const firstRecord = quoted('@first')
export const lastRecord = quoted('@last')
export const block = quoted('@block')
export const opened = quoted('@opened')
export const closed = quoted('@closed')
export const since = quoted('@since')
export const entries = quoted('@entries')
export const alive = quoted('@alive')
export const changes = quoted('@changes')
export const keys = quoted('@keys')

/** Columns of the links to earlier versions: see version-links.ts. */
const linkColumnsSql = [`${count} INTEGER NOT NULL`, `${before} INTEGER`, `${far} TEXT`]

/** Further columns of the table of current rows. */
export const moreColumns = ({ history }: StoredShape): readonly string[] =>
  history ? [`${from} INTEGER NOT NULL`, ...linkColumnsSql] : []

/** Orders in which history has pages: by the key, and by each column listed before the key. */
export const historyOrders = ({ key, history }: StoredShape): readonly (readonly string[])[] =>
  history
    ? [
        ...(history.byKey === false ? [] : [key]),
        ...(history.by ?? []).map((columns) => [
          ...columns,
          ...key.filter((name) => !columns.includes(name)),
        ]),
      ]
    : []

/**
 * Returns whether places in an order store this column's ids as numbers. An order by one id column alone stores the ids
 * themselves, so that pages follow them.
 */
export const isNumberedIn = (
  columns: readonly string[],
  column: string,
  { ids = [] }: StoredShape,
): boolean => columns.length > 1 && ids.includes(column)

/**
 * Returns whether a view needs versions. Rows that are written once and queried by the first column of their key need
 * none: `@from` is their creation.
 */
export const hasVersions = ({ isWrittenOnce, history }: StoredShape): boolean =>
  !(isWrittenOnce && history?.byKey === false && history.by === undefined)

export const createdTableSql = (view: string, generation: number): string =>
  `CREATE TABLE IF NOT EXISTS ${createdTableOf(view, generation)} (${end} INTEGER NOT NULL, ${n} INTEGER NOT NULL, ${since} INTEGER NOT NULL,
    ${keys} TEXT NOT NULL, PRIMARY KEY (${end}, ${n})) STRICT, WITHOUT ROWID`

/** Columns that `@more` has of a version, behind its positions. */
export const restColumns = ({ columns, key }: StoredShape): readonly string[] =>
  Object.keys(columns).filter((name) => !key.includes(name))

/** Stands for null in an order, and for its beginning: all values are greater. */
export const least = Number.NEGATIVE_INFINITY
const leastSql = '-9e999'

export const historyTablesSql = (shape: StoredShape, generation: number): readonly string[] => {
  if (!shape.history) return []
  const { name, key } = shape
  const deleted = deletedTableOf(name, generation)
  const columns = sqlColumns(shape)
  const keyColumns = columns.filter((_, i) => key.includes(Object.keys(shape.columns)[i] as string))
  return [
    `CREATE TABLE ${versionTableOf(name, generation)} (${n} INTEGER PRIMARY KEY, ${end} INTEGER NOT NULL, ${from} INTEGER,
      ${to} INTEGER NOT NULL, ${linkColumnsSql.join(', ')}, ${base} INTEGER, ${more} TEXT, ${columns.join(', ')}) STRICT`,
    `CREATE TABLE ${runsTableOf(name, generation)} (${end} INTEGER PRIMARY KEY, ${firstRecord} INTEGER NOT NULL,
      ${lastRecord} INTEGER NOT NULL) STRICT`,
    `CREATE TABLE ${deleted} (${keyColumns.join(', ')}, ${from} INTEGER NOT NULL, ${linkColumnsSql.join(', ')},
      PRIMARY KEY (${list(key)})) STRICT, WITHOUT ROWID`,
    createdTableSql(name, generation),
    `CREATE INDEX ${tableFor('gone_from')(name, generation)} ON ${deleted} (${from})`,
    ...historyOrders(shape).flatMap((names, number) => orderSql(name, generation, names, number)),
  ]
}

const orderSql = (view: string, generation: number, columns: readonly string[], number: number) => {
  const blocks = blocksOf(view, generation, number)
  const any = columns.map((name) => `${quoted(name)} ANY NOT NULL`).join(', ')
  return [
    `CREATE TABLE ${blocks} (${block} INTEGER PRIMARY KEY, ${opened} INTEGER NOT NULL, ${closed} INTEGER, ${any}) STRICT`,
    `CREATE INDEX ${tableFor(`blocks${number}_lower`)(view, generation)} ON ${blocks} (${list(columns)}, ${opened}, ${closed})`,
    `INSERT INTO ${blocks} VALUES (1, -1, NULL${`, ${leastSql}`.repeat(columns.length)})`,
    `CREATE TABLE ${entriesOf(view, generation, number)} (${n} INTEGER PRIMARY KEY, ${since} INTEGER NOT NULL,
      ${entries} INTEGER NOT NULL, ${alive} INTEGER NOT NULL, ${changes} TEXT NOT NULL) STRICT`,
  ]
}

/** Drops also tables of an older program, which stored the view's history in another form. */
export const dropHistorySql = (shape: StoredShape, generation: number): readonly string[] =>
  shape.history
    ? [
        ...[versionTableOf, deletedTableOf, runsTableOf, createdTableOf].map((tableOf) =>
          tableOf(shape.name, generation),
        ),
        ...historyOrders(shape).flatMap((_, number) => [
          blocksOf(shape.name, generation, number),
          entriesOf(shape.name, generation, number),
        ]),
      ].map((table) => `DROP TABLE IF EXISTS ${table}`)
    : []
