import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { streamName } from '../kernel/event.ts'

/** The unit of checking: one path in one store. */
export interface Item {
  readonly store: string
  readonly path: string
}

/** Category of the streams that hold an item's whole life. */
export const category = 'fixity'

/** `store/path`: a store has no slash, so the first slash separates them. */
export const itemId = (item: Item): string => `${item.store}/${item.path}`

export const itemOf = (id: string): Item => {
  const slash = id.indexOf('/')
  return { store: id.slice(0, slash), path: id.slice(slash + 1) }
}

export const itemStream = (item: Item): string => streamName(category, itemId(item))

const storeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export const StoreName = annotate(
  t.refinement(
    t.string,
    (s) => storeName.test(s),
    'store name (letters, digits, dot, dash, underscore; at most 64)',
  ),
  { pattern: storeName.source },
)

const maxPathLength = 4096

/** Matches a segment that is empty, `.` or `..`. */
const unsafeSegment = /(?:^|\/)\.{0,2}(?:\/|$)/

/** Returns why a path cannot name content; undefined if it can. Control and bidi characters are allowed: they occur. */
export const whyInvalidPath = (path: string): string | undefined => {
  if (path.length === 0) return 'is empty'
  if (path.length > maxPathLength) return `is ${path.length} characters long; the limit is ${maxPathLength}`
  if (!path.isWellFormed()) return 'is not valid Unicode'
  if (path.includes('\0')) return 'holds a NUL character'
  if (path.startsWith('/')) return 'is absolute; give it relative to the store'
  if (unsafeSegment.test(path))
    return 'has an empty, "." or ".." segment; it would leave the store or name one file twice'
  return undefined
}

/** `whyInvalidPath` as a pattern, for the generated documents. */
const pathPattern = '^(?!\\.{1,2}(/|$))[^/\\u0000]+(/(?!\\.{1,2}(/|$))[^/\\u0000]+)*$'

export const Path = annotate(
  new t.Type<string, string, unknown>(
    'path',
    (u): u is string => typeof u === 'string' && whyInvalidPath(u) === undefined,
    (u, context) =>
      pipe(
        t.string.validate(u, context),
        E.chain((path) => {
          const why = whyInvalidPath(path)
          return why ? t.failure(u, context, why) : t.success(path)
        }),
      ),
    t.identity,
  ),
  { type: 'string', minLength: 1, maxLength: maxPathLength, pattern: pathPattern },
)
