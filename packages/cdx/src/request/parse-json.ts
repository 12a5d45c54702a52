/*
 * JSON as Python reads it, whose order of members and spelling of numbers `JSON.parse` loses. A text nested a hundred thousand deep is
 * read without recursion.
 */

export type JsonValue = JsonScalar | readonly JsonValue[] | ReadonlyMap<string, JsonValue>

/** A text, a number by its digits, or a word: `true`, `false`, `null`, `NaN`, `Infinity`, `-Infinity`. */
export interface JsonScalar {
  readonly kind: 'text' | 'integer' | 'decimal' | 'word'
  readonly text: string
}

export const isMembers = (value: JsonValue): value is ReadonlyMap<string, JsonValue> => value instanceof Map
export const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'comma' | 'end'

/** Undefined if the text is not JSON. Of several members with one name, the last counts, at the place of the first. */
export const parseJson = (text: string): JsonValue | undefined => {
  const open: (JsonValue[] | Map<string, JsonValue>)[] = []
  /** The name of the member that is read, of each open object. */
  const names: string[] = []
  let done: JsonValue | undefined
  let expected: Expected = 'value'

  const put = (value: JsonValue): void => {
    const within = open.at(-1)
    if (within instanceof Map) within.set(names.at(-1) ?? '', value)
    else if (within) within.push(value)
    else done = value
    expected = within ? 'comma' : 'end'
  }
  const begin = (value: JsonValue[] | Map<string, JsonValue>): void => {
    open.push(value)
    if (value instanceof Map) names.push('')
    expected = value instanceof Map ? 'name or end' : 'value or end'
  }
  const end = (): void => {
    const ended = open.pop()
    if (ended instanceof Map) names.pop()
    if (ended) put(ended)
  }
  const isIn = (...some: readonly Expected[]) => some.includes(expected)
  const isInObject = () => open.at(-1) instanceof Map

  /** Returns the offset behind the token; -1 if it may not stand there. */
  const take = (at: number): number => {
    const first = text.charAt(at)
    if (first === '"') {
      const to = endOfText(text, at)
      const value = to < 0 ? undefined : unescaped(text.slice(at, to))
      if (value === undefined) return -1
      if (isIn('value', 'value or end')) {
        put({ kind: 'text', text: value })
        return to
      }
      if (!isIn('name', 'name or end')) return -1
      names[names.length - 1] = value
      expected = 'value'
      const colon = behindBlanks(text, to)
      return text.charAt(colon) === ':' ? colon + 1 : -1
    }
    if (first === ',') {
      if (!isIn('comma')) return -1
      expected = isInObject() ? 'name' : 'value'
      return at + 1
    }
    if (first === '}' || first === ']') {
      const isObject = first === '}'
      if (isObject !== isInObject() || !isIn('comma', isObject ? 'name or end' : 'value or end')) return -1
      end()
      return at + 1
    }
    if (!isIn('value', 'value or end')) return -1
    if (first === '{' || first === '[') {
      begin(first === '{' ? new Map() : [])
      return at + 1
    }
    scalar.lastIndex = at
    const found = scalar.exec(text)?.[0]
    if (found === undefined) return -1
    put(scalarOf(found))
    return at + found.length
  }

  for (let at = behindBlanks(text, 0); at < text.length; at = behindBlanks(text, at)) {
    at = take(at)
    if (at < 0) return undefined
  }
  return done
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity/y

const behindBlanks = (text: string, from: number): number => {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return at
}

/** The offset behind the quote that ends a text; -1 if none does. */
const endOfText = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) return at + 1
    if (character === backslash) at++
  }
  return -1
}

const quote = 34
const backslash = 92

/** Undefined for control characters, and for escapes that there are not. */
const unescaped = (quoted: string): string | undefined => {
  try {
    return JSON.parse(quoted)
  } catch {
    return undefined
  }
}

const scalarOf = (text: string): JsonScalar => {
  if (/^-?[a-zI]|^N/.test(text)) return { kind: 'word', text }
  return { kind: /^-?\d+$/.test(text) ? 'integer' : 'decimal', text }
}
