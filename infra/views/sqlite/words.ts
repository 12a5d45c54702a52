import type { DatabaseSync } from 'node:sqlite'
import { type Row, type Value, ViewQueryError } from '../../../src/domain/kernel/view.ts'
import { fileNameOf, wordsOf } from '../../../src/domain/kernel/words.ts'
import type { StoredShape, WordPage } from '../../../src/ports/view-store.ts'
import { createStored, type Ids } from './ids.ts'
import { type SqlQuery, successor } from './query-sql.ts'
import { list, marks, quoted, tableOf } from './shape.ts'
import { sourceOf } from './source.ts'

/*
 * Words that rows are found by (`StoredShape.words`): a table beside that of the view, with a row for each word of each
 * row. It is of now: history has none.
 */

export const wordTableOf = (view: string, generation: number): string =>
  quoted(`${view}__${generation}__words`)

export const wordTableSql = ({ name, key, columns, ids = [] }: StoredShape, generation: number): string => {
  const keys = key.map((column) => {
    const isText = columns[column] === 'text' && !ids.includes(column)
    return `${quoted(column)} ${isText ? 'TEXT' : 'INTEGER'} NOT NULL`
  })
  return `CREATE TABLE ${wordTableOf(name, generation)} (__word TEXT NOT NULL, ${keys.join(', ')}, PRIMARY KEY (__word, ${list(key)})) STRICT, WITHOUT ROWID`
}

/** The words of a row; none of an absent one. */
export type WordsOfRow = (row: Row | undefined) => readonly string[]

export const wordsOfRows = ({ column, are }: NonNullable<StoredShape['words']>): WordsOfRow => {
  const split = are === 'words' ? wordsOf : (text: string) => [fileNameOf(text)]
  return (row) => {
    const text = row?.[column]
    return typeof text === 'string' && text !== '' ? split(text) : []
  }
}

/** Writes the words of rows that changed. */
export interface WordWriter {
  /** Whether the words of two rows may differ. */
  differ(before: Row | undefined, after: Row | undefined): boolean
  replace(key: readonly Value[], before: Row | undefined, after: Row | undefined): void
  /** Once per transaction. */
  flush(): void
}

export const createWordWriter = (
  db: DatabaseSync,
  shape: StoredShape,
  generation: number,
  ids?: Ids,
): WordWriter | undefined => {
  const { words, key } = shape
  if (!words) return undefined
  const table = wordTableOf(shape.name, generation)
  const insert = db.prepare(
    `INSERT OR IGNORE INTO ${table} (__word, ${list(key)}) VALUES (${marks(['', ...key])})`,
  )
  const remove = db.prepare(
    `DELETE FROM ${table} WHERE __word = ? AND ${key.map((column) => `${quoted(column)} = ?`).join(' AND ')}`,
  )
  const wordsIn = wordsOfRows(words)
  const stored = createStored(shape, ids)
  let added: (readonly Value[])[] = []
  return {
    differ: (before, after) => before?.[words.column] !== after?.[words.column],
    replace: (key, before, after) => {
      const [then, now] = [wordsIn(before), wordsIn(after)]
      const known = stored.key(key)
      for (const word of then) if (!now.includes(word)) remove.run(word, ...known)
      for (const word of now) if (!then.includes(word)) added.push([word, ...known])
    },
    flush: () => {
      // In their order: rows that lie side by side are written faster.
      added.sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1))
      for (const values of added) insert.run(...(values as Value[]))
      added = []
    },
  }
}

/** Keys of rows with a word that begins so, in the order of the words. */
export const wordSql = (
  shape: StoredShape,
  generation: number,
  begin: string,
  { limit, hasText = false }: WordPage,
): SqlQuery => {
  const { key, words, name } = shape
  if (!words) throw new ViewQueryError(`view ${name} is not found by words`)
  const table = wordTableOf(name, generation)
  const { from, sqlOf } = sourceOf(shape, generation, key, undefined, table)
  const end = successor(begin)
  const where = `WHERE __word >= ?${end === undefined ? '' : ' AND __word < ?'}`
  const ofRow = key.map((column) => `rows.${quoted(column)} = ${table}.${quoted(column)}`).join(' AND ')
  const text = `(SELECT ${quoted(words.column)} FROM ${tableOf(name, generation)} AS rows WHERE ${ofRow})`
  const selected = [...key.map(sqlOf), ...(hasText ? [text] : [])]
  return {
    sql: `SELECT ${selected.join(', ')} FROM ${from} ${where} ORDER BY __word, ${list(key)} LIMIT ?`,
    values: [begin, ...(end === undefined ? [] : [end]), limit],
    columns: [...key, ...(hasText ? [words.column] : [])],
  }
}
