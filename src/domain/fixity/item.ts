import * as either from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { streamName } from '../kernel/event.ts'

/** What is checked: one path in one store. */
export interface Item {
  readonly store: string
  readonly path: string
}

/** Category of the streams that hold an item's whole life. */
export const category = 'fixity'

/** `store/path`: a store has no slash, so the first one parts them. */
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

export const longestPath = 4096

/** Why a path cannot name content; undefined where it can. Control and bidi characters are allowed: they occur. */
export const pathFault = (path: string): string | undefined => {
  if (path.length === 0) return 'is empty'
  if (path.length > longestPath) return `is ${path.length} characters long; the limit is ${longestPath}`
  if (!path.isWellFormed()) return 'is not valid Unicode'
  if (path.includes('\0')) return 'holds a NUL character'
  if (path.startsWith('/')) return 'is absolute; give it relative to the store'
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'has an empty, "." or ".." segment; it would leave the store or name one file twice'
  return undefined
}

/** `pathFault` as a pattern, for the generated documents. */
const pathPattern = '^(?!\\.{1,2}(/|$))[^/\\u0000]+(/(?!\\.{1,2}(/|$))[^/\\u0000]+)*$'

export const Path = annotate(
  new t.Type<string, string, unknown>(
    'path',
    (u): u is string => typeof u === 'string' && pathFault(u) === undefined,
    (u, context) =>
      either.chain((path: string) => {
        const fault = pathFault(path)
        return fault ? t.failure<string>(u, context, fault) : t.success(path)
      })(t.string.validate(u, context)),
    t.identity,
  ),
  { type: 'string', minLength: 1, maxLength: longestPath, pattern: pathPattern },
)
