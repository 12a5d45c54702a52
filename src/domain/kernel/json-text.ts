import * as E from 'fp-ts/lib/Either.js'
import { type InvalidMessage, invalidMessage } from './invalid-message.ts'

/** Limit of a value in bytes: a Kafka broker's default. */
export const maxValueBytes = 1024 * 1024

/** Limit of nesting. Nothing we know needs ten levels; recursion over a decoded value is safe far beyond this. */
export const maxNesting = 128

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses untrusted bytes or text to a JSON value that is safe to store. Drops a byte order mark. Of a repeated name the
 * last value counts, as in every ECMAScript parser: the others are never seen.
 */
export const parseJson = (value: string | Uint8Array | null): E.Either<InvalidMessage, unknown> => {
  if (value === null || value.length === 0)
    return E.left(invalidMessage('not-json', 'the value is empty; send a JSON object'))
  const bytes = byteLength(value)
  if (bytes > maxValueBytes)
    return E.left(
      invalidMessage(
        'too-large',
        `the value is ${bytes} bytes; the limit is ${maxValueBytes}: send less at a time`,
      ),
    )
  const text = typeof value === 'string' ? value : decodeUtf8(value)
  if (text === undefined)
    return E.left(invalidMessage('not-utf8', 'the value is not valid UTF-8; send JSON as UTF-8'))
  try {
    return checkJson(JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text))
  } catch (error) {
    // Deep nesting is no error to JSON.parse, and checkJson stops at its limit: this is a syntax error.
    return E.left(
      invalidMessage('not-json', `the value is not JSON: ${error instanceof Error ? error.message : error}`),
    )
  }
}

/** Exact only near the limit: a character is at most three bytes a UTF-16 unit. */
const byteLength = (value: string | Uint8Array): number =>
  typeof value === 'string' && value.length * 3 > maxValueBytes && value.length <= maxValueBytes
    ? new TextEncoder().encode(value).length
    : value.length

/** Returns undefined for bytes that are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Refuses values that JSON allows and nobody may store:
 * - `__proto__` as a name: copied by assignment it becomes the prototype, and adds fields no codec has seen;
 * - a number beyond a double, which reads as Infinity and would be stored as null;
 * - a lone surrogate, which UTF-8 cannot hold;
 * - nesting on which recursive code would run out of stack.
 */
export const checkJson = (value: unknown): E.Either<InvalidMessage, unknown> => {
  const unsafe = unsafeIn(value, 0)
  return unsafe
    ? E.left(invalidMessage('wrong-shape', `${unsafe.path || 'the value'}: ${unsafe.why}`, unsafe.path))
    : E.right(value)
}

interface Unsafe {
  readonly path: string
  readonly why: string
}

const unsafeIn = (value: unknown, depth: number): Unsafe | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : halfCharacter
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : tooGreat
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= maxNesting) return tooDeep
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const unsafe = unsafeIn(value[i], depth + 1)
      if (unsafe) return within(String(i), unsafe)
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return { path: name, why: 'is no name for a field; leave it out' }
    const unsafe = name.isWellFormed()
      ? unsafeIn((value as Record<string, unknown>)[name], depth + 1)
      : halfCharacter
    if (unsafe) return within(name, unsafe)
  }
  return undefined
}

const halfCharacter: Unsafe = {
  path: '',
  why: 'holds half a character (a lone surrogate), which UTF-8 cannot store',
}
const tooGreat: Unsafe = { path: '', why: 'is a number too great to be kept; send it as text' }
const tooDeep: Unsafe = { path: '', why: `is nested deeper than ${maxNesting} levels` }

const within = (name: string, unsafe: Unsafe): Unsafe =>
  unsafe === tooDeep ? unsafe : { ...unsafe, path: unsafe.path ? `${name}.${unsafe.path}` : name }
