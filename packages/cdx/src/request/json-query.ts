import { isList, isMembers, type JsonScalar, type JsonValue, parseJson } from './parse-json.ts'
import { quotePlus } from './quote-plus.ts'

/** How an indexer spells the values of JSON in a key: cdxj-indexer as Python does, pywb and warcio.js as JavaScript. */
export type Spelling = 'cdxj-indexer' | 'pywb' | 'warcio.js'

/**
 * Flattens JSON into parameters, one for each value that is no list and no object: `{"a":{"b":[1,2]}}` is `b=1&b.2_=2`. Undefined if
 * the text is neither JSON nor, for cdxj-indexer, JSON lines.
 */
export const jsonQuery = (text: string, spelling: Spelling): string | undefined => {
  const whole = parseJson(text)
  const documents = whole !== undefined ? [whole] : spelling === 'cdxj-indexer' ? jsonLines(text) : undefined
  if (documents === undefined) return undefined
  const values = new Map<string, string>()
  const counts = new Map<string, number>()
  /** As the originals do it: a name that was made may meet one that was given. */
  const freeName = (name: string): string => {
    if (!values.has(name)) return name
    const count = (counts.get(name) ?? 1) + 1
    counts.set(name, count)
    return `${name}.${count}_`
  }
  for (const document of documents)
    for (const [name, value] of leaves(document)) {
      if (name === '' && spelling !== 'warcio.js') continue
      const text = spellings[spelling](value)
      if (text === undefined) return undefined
      if (text !== '' || spelling !== 'warcio.js') values.set(freeName(name), text)
    }
  return joined(values)
}

const jsonLines = (text: string): readonly JsonValue[] | undefined => {
  const lines = text.split('\n').map(parseJson)
  return lines.length > 1 && lines.every((line) => line !== undefined) ? lines : undefined
}

/** Undefined if a text has half of a pair of surrogates: no indexer can write that. */
const joined = (values: ReadonlyMap<string, string>): string | undefined => {
  const pairs = [...values]
  return pairs.every((pair) => pair.every((text) => text.isWellFormed()))
    ? pairs.map((pair) => pair.map(quotePlus).join('=')).join('&')
    : undefined
}

/**
 * Lists the values in their order, however deeply nested. Each has the name of the object's member that it
 * is, or whose list it is in.
 */
const leaves = (document: JsonValue): readonly (readonly [string, JsonScalar])[] => {
  const found: (readonly [string, JsonScalar])[] = []
  const waiting: (readonly [string, JsonValue])[] = [['', document]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next
    if (isMembers(value)) for (const member of [...value].reverse()) waiting.push(member)
    else if (isList(value)) for (const item of value.toReversed()) waiting.push([name, item])
    else found.push([name, value])
  }
  return found
}

const capitals: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
  NaN: 'nan',
  Infinity: 'inf',
  '-Infinity': '-inf',
}

const integer = (text: string): string => (text === '-0' ? '0' : text)

/** Undefined: the indexer fails at the value. */
const spellings: Readonly<Record<Spelling, (value: JsonScalar) => string | undefined>> = {
  'cdxj-indexer': ({ kind, text }) => {
    if (kind === 'word') return capitals[text] ?? text
    if (kind === 'integer') return integer(text)
    return kind === 'decimal' ? pythonFloat(Number(text)) : text
  },
  pywb: ({ kind, text }) => {
    if (kind === 'integer') return integer(text)
    if (kind === 'text' || /^[a-z]/.test(text)) return text
    const number = Number(text)
    if (Number.isNaN(number)) return 'nan'
    if (!Number.isFinite(number)) return undefined
    return Number.isInteger(number) ? String(BigInt(number)) : pythonFloat(number)
  },
  'warcio.js': ({ kind, text }) => (kind === 'integer' || kind === 'decimal' ? String(Number(text)) : text),
}

/** `repr` of a float: exponents from 1e16 on and below 1e-4, and a fraction always. */
const pythonFloat = (number: number): string => {
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  const sign = number < 0 || Object.is(number, -0) ? '-' : ''
  const [mantissa = '', power = ''] = Math.abs(number).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const mark = exponent < 0 ? '-' : '+'
    return `${sign}${mantissa}e${mark}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
