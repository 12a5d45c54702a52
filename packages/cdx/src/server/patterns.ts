import { createRequire } from 'node:module'
import { type Either, left, right } from 'fp-ts/lib/Either.js'

/*
 * Patterns are untrusted. RE2 takes a time that grows with the text alone, and has no look-around and no back
 * references. Its program and the pattern are bounded, so that one line costs little.
 */

const load = createRequire(import.meta.url)
/** Loaded with the first pattern that needs it: it is the largest module of all, and most patterns mean themselves. */
const re2 = (): typeof import('re2js') => load('re2js')

export type Matches = (text: string) => boolean

const maxLength = 1000
const maxProgram = 1000

/** Matches the whole text, as in Java. */
export const wholeMatch = (pattern: string): Either<string, Matches> =>
  isPlain.test(pattern) ? right((text) => text === pattern) : compiled(pattern)

/** Matches the beginning of the text, as in Python. */
export const startMatch = (pattern: string): Either<string, Matches> =>
  isPlain.test(pattern) ? right((text) => text.startsWith(pattern)) : compiled(`(?:${pattern})(?s:.*)`)

/** A pattern that means itself, as most do. */
const isPlain = /^[\w /:;,=@%&~!"'<>#-]*$/

const compiled = (pattern: string): Either<string, Matches> => {
  if (pattern.length > maxLength)
    return left(`is longer than ${maxLength} characters; send a shorter pattern`)
  const { RE2JS, RE2JSException } = re2()
  try {
    const expression = RE2JS.compile(pattern)
    return expression.programSize() > maxProgram
      ? left('is too large when it is written out; send a simpler pattern')
      : right((text) => expression.testExact(text))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return left(`is no pattern of RE2 (${error.message}); there is no look-around and no back reference`)
  }
}
