import { type Condition, type Value, ViewQueryError, type ViewShape } from '../../domain/kernel/view.ts'
import { fileNameOf, wordsOf } from '../../domain/kernel/words.ts'
import type { SearchedViews } from './finder.ts'

/** Keys of rows. `isAll`: there are no others. */
export interface Keys {
  readonly keys: readonly (readonly Value[])[]
  readonly isAll: boolean
}

/** Most rows that are read of a word. */
const maxOfWord = 2000
/** Words that are looked up: the longest, which are rare. The others are compared with the titles found so. */
const maxQueried = 4

/** Keys of rows in which a word begins as each of the text's words. All, if one of the words has at most 2,000 rows. */
export const keysWithWords = (views: SearchedViews, shape: ViewShape, text: string): Keys => {
  const words = [...wordsOf(text)].sort((one, other) => other.length - one.length)
  const found = words.slice(0, maxQueried).map((word) => ({ word, ...keysBeginning(views, shape, word) }))
  const [fewest] = [...found].sort((one, other) => one.keys.size - other.keys.size)
  if (!fewest) return { keys: [], isAll: true }
  const whole = found.filter(({ isAll }) => isAll)
  const known = new Set([...whole, fewest].map(({ word }) => word))
  const others = words.filter((word) => !known.has(word))
  const keys = [...fewest.keys]
    .filter(([id]) => whole.every(({ keys }) => keys.has(id)))
    .map(([, key]) => key)
    .filter((key) => others.length === 0 || hasWords(views, shape, key, others))
  return { keys, isAll: fewest.isAll }
}

const hasWords = (
  views: SearchedViews,
  { name, key: columns }: ViewShape,
  key: readonly Value[],
  begins: readonly string[],
): boolean => {
  const column = views.shape(name)?.words?.column
  if (column === undefined) throw new ViewQueryError(`view ${name} is not found by words`)
  const where = columns.map((name, i): Condition => ({ column: name, is: '=', value: key[i] as Value }))
  const words = wordsOf(String(views.query(name, { columns: [column], where, limit: 1 })[0]?.[column] ?? ''))
  return begins.every((begin) => words.some((word) => word.startsWith(begin)))
}

/** Keys of rows whose file name begins so. */
export const keysWithName = (views: SearchedViews, shape: ViewShape, text: string): Keys => {
  const name = text.includes('/') ? '' : fileNameOf(text)
  if (name === '') return { keys: [], isAll: true }
  const { keys, isAll } = keysBeginning(views, shape, name)
  return { keys: [...keys.values()], isAll }
}

const keysBeginning = (views: SearchedViews, { name, key }: ViewShape, begin: string) => {
  const rows = views.withWord(name, begin, maxOfWord + 1)
  const keys = rows.slice(0, maxOfWord).map((row) => key.map((column) => row[column] as Value))
  return { keys: new Map(keys.map((one) => [JSON.stringify(one), one])), isAll: rows.length <= maxOfWord }
}
