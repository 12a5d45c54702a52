import { isLeft } from 'fp-ts/lib/Either.js'
import {
  mayHavePersonal,
  type PersonalValue,
  personalIn,
  replacePersonal,
  shownPersonal,
} from '../domain/kernel/personal.ts'
import { unprintable, visible } from '../domain/kernel/visible.ts'
import type { PersonalValues } from '../ports/personal-values.ts'

/*
 * Where answers leave: readers get the value in the place of its reference, the day of its erasing, or the reference with a word on
 * what it is. A folder that cannot be read keeps nobody from the rest of an answer.
 */

type Reading = Pick<PersonalValues, 'find'>

/** Returns how each reference of a text is shown. */
export const shownValuesOf = async (
  personal: Reading,
  text: string,
): Promise<(reference: string) => string> => {
  const found = await personal.find(personalIn(text))()
  const values: ReadonlyMap<string, PersonalValue> = isLeft(found) ? new Map() : found.right
  return (reference) => shownPersonal(reference, values.get(reference))
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** `text` is JSON, or several lines of it. */
export const readableJson = async (personal: Reading, text: string): Promise<string> => {
  if (!mayHavePersonal(text)) return text
  const shown = await shownValuesOf(personal, text)
  return replacePersonal(text, (reference) => inJson(shown(reference)))
}

/** Lines for a terminal or a pipe, some of which are JSON. Escapes what a terminal would obey. */
export const readableLines = async (personal: Reading, text: string): Promise<string> => {
  if (!mayHavePersonal(text)) return text
  const shown = await shownValuesOf(personal, text)
  const escaped = (value: string) => inJson(value).replace(unprintable, inUnits)
  return text
    .split('\n')
    .map((line) => {
      const isJson = /^\s*[[{"]/.test(line)
      return replacePersonal(line, (reference) => (isJson ? escaped : visible)(shown(reference)))
    })
    .join('\n')
}

const inUnits = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** A copy of rows or of an answer, with values in the place of references. */
export const readableValue = async <A>(personal: Reading, value: A): Promise<A> => {
  const texts: string[] = []
  changed(value, (text) => {
    if (mayHavePersonal(text)) texts.push(text)
    return text
  })
  if (texts.length === 0) return value
  const shown = await shownValuesOf(personal, texts.join('\n'))
  return changed(value, (text) => replacePersonal(text, shown)) as A
}

/** Plain data alone is copied: rows, and what JSON has. */
const changed = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => changed(one, change))
  if (typeof value !== 'object' || value === null) return value
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, change)]))
}
