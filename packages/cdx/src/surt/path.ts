import { escaped, unescaped } from './percent.ts'

/** The path of a URL with a host: segments resolved, no session id, lower case, no slash at its end. */
export const canonicalPath = (path: string): string =>
  withoutEndSlash(withoutSessions(escaped(resolved(unescaped(path))).toLowerCase()))

/** The path of a URL without a host: its slashes and dots mean nothing. */
export const opaquePath = (path: string): string =>
  withoutEndSlash(withoutSessions(escaped(unescaped(path)).toLowerCase()))

/** Removes empty segments, `.` and `..`. A `..` with nothing to remove stays, and the next removes it. */
const resolved = (path: string): string => {
  if (path === '') return '/'
  if (!hasDots.test(path)) return path
  const segments: string[] = []
  for (const segment of path.slice(1).split('/'))
    if (segment === '..' && segments.length > 0) segments.pop()
    else if (segment !== '.') segments.push(segment)
  return `/${segments.join('/')}`.replace(slashes, '/')
}

const slashes = /\/{2,}/g

/** Matches dots, or an empty segment. */
const hasDots = /\/(?:\/|\.\.?(?:\/|$))/

const withoutEndSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** ASP.NET keeps sessions in a segment of the path: `/(S(24 characters))/page.aspx`, in old versions `/(24 characters)/page.aspx`. */
const withoutSessions = (path: string): string =>
  path.includes('.aspx') ? sessions.reduce(withoutSession, path) : path

const sessions = [/\/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=\/)/g, /\/\([0-9a-z]{24}\)(?=\/)/g]

/** Removes the last session that is before a page. */
const withoutSession = (path: string, session: RegExp): string => {
  const found = [...path.matchAll(session)].findLast((match) =>
    isBeforePage(path, match.index + match[0].length + 1),
  )
  return found === undefined ? path : path.slice(0, found.index) + path.slice(found.index + found[0].length)
}

const isBeforePage = (path: string, from: number): boolean => {
  const page = path.indexOf('.aspx', from + 1)
  const mark = path.indexOf('?', from)
  return page !== -1 && (mark === -1 || mark > page)
}
