import { escaped, unescaped } from './percent.ts'

/** The query with its `?`: in lower case, without session ids, sorted. Empty if nothing is left. */
export const canonicalQuery = (query: string): string => {
  if (query === '') return ''
  const sorted = inOrder(withoutSessions(escaped(unescaped(query)).toLowerCase()))
  return sorted === '' ? '' : `?${sorted}`
}

const mayHaveSession = /sid=|sessionid|cftoken=/

/** In this order: `phpsessid=` ends in `sid=`. */
const sessions = [
  /jsessionid=[0-9a-z]{32}(?:&|$)/g,
  /phpsessid=[0-9a-z]{32}(?:&|$)/g,
  /sid=[0-9a-z]{32}(?:&|$)/g,
  /aspsessionid[a-z]{8}=[a-z]{24}(?:&|$)/g,
]

const withoutSessions = (query: string): string =>
  mayHaveSession.test(query) ? withoutColdFusion(sessions.reduce(withoutSession, query)) : query

/** Removes the last one of its kind, and joins the texts around it. */
const withoutSession = (query: string, session: RegExp): string => {
  const found = [...query.matchAll(session)].at(-1)
  return found === undefined ? query : without(query, found.index, found.index + found[0].length)
}

const without = (query: string, from: number, to: number): string => query.slice(0, from) + query.slice(to)

/** ColdFusion's session is two parameters side by side: `cfid=…&cftoken=…`. */
const withoutColdFusion = (query: string): string => {
  for (let at = tokenBefore(query, query.length); at > 0; at = tokenBefore(query, at - 1)) {
    const from = query.lastIndexOf('&', at - 1) + 1
    const id = query.slice(from, at - 1).lastIndexOf('cfid=')
    const end = query.indexOf('&', at + 1)
    const to = end === -1 ? query.length : end
    if (id !== -1 && to > at + token.length) return without(query, from + id, to + 1)
  }
  return query
}

const token = '&cftoken='
const tokenBefore = (query: string, at: number): number => (at > 0 ? query.lastIndexOf(token, at) : -1)

const inOrder = (query: string): string => {
  const end = query.indexOf('&')
  if (end === -1) return query
  if (query.includes('&', end + 1)) return query.split('&').sort(byNameThenValue).join('&')
  // Two are usual, and need no list.
  const [first, second] = [query.slice(0, end), query.slice(end + 1)]
  return byNameThenValue(first, second) > 0 ? `${second}&${first}` : query
}

const byNameThenValue = (a: string, b: string): number => compare(nameOf(a), nameOf(b)) || compare(a, b)

const nameOf = (parameter: string): string => {
  const at = parameter.indexOf('=')
  return at === -1 ? parameter : parameter.slice(0, at)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
