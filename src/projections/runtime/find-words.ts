import type { Row, Value, ViewShape } from '../../domain/kernel/view.ts'
import { fileNameOf, wordsOf } from '../../domain/kernel/words.ts'
import type { SearchedViews } from './finder.ts'

/** Keys of rows. `isAll`: there are no others. */
export interface Keys {
  readonly keys: readonly (readonly Value[])[]
  readonly isAll: boolean
}

/** Most rows that are read of a word. Rows that have all of several words are looked for among those of one of them. */
export const maxOfWord = 1000

/** Words that are queried, to find the one that fewest rows have. */
const maxQueried = 4

/** Keys of rows in which a word begins as each of the text's words. All, if one of the words has at most 1,000 rows. */
export const keysWithWords = (views: SearchedViews, shape: ViewShape, text: string): Keys => {
  const words = [...wordsOf(text)].sort((one, other) => other.length - one.length)
  const [rarest, ...others] = words.length > 1 ? rarestFirst(views, shape, words) : words
  if (rarest === undefined) return { keys: [], isAll: true }
  const rows = views.withWord(shape.name, rarest, { limit: maxOfWord + 1, hasText: others.length > 0 })
  const column = views.shape(shape.name)?.words?.column ?? ''
  const found = rows.filter((row) => others.length === 0 || hasWords(String(row[column] ?? ''), others))
  return keysOf(shape, found, rows.length)
}

/** The word that fewest rows have comes first; of those that many have, the longest. */
const rarestFirst = (
  views: SearchedViews,
  { name }: ViewShape,
  words: readonly string[],
): readonly string[] => {
  const counted = words.slice(0, maxQueried).map((word) => ({
    word,
    rows: views.withWord(name, word, { limit: maxOfWord + 1 }).length,
  }))
  const [rarest] = counted.sort((one, other) => one.rows - other.rows)
  return rarest ? [rarest.word, ...words.filter((word) => word !== rarest.word)] : words
}

const hasWords = (text: string, begins: readonly string[]): boolean => {
  const words = wordsOf(text)
  return begins.every((begin) => words.some((word) => word.startsWith(begin)))
}

/** Keys of rows whose file name begins so. */
export const keysWithName = (views: SearchedViews, shape: ViewShape, text: string): Keys => {
  const name = text.includes('/') ? '' : fileNameOf(text)
  if (name === '') return { keys: [], isAll: true }
  const rows = views.withWord(shape.name, name, { limit: maxOfWord + 1 })
  return keysOf(shape, rows, rows.length)
}

const keysOf = ({ key }: ViewShape, rows: readonly Row[], read: number): Keys => ({
  keys: rows.map((row) => key.map((column) => row[column] as Value)),
  isAll: read <= maxOfWord,
})
