import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { CaptureKeys, Condition } from '../query/capture-query.ts'
import { domainRanges, hostRanges, type MatchType, prefixRange, rangeOfPrefix } from '../query/key-ranges.ts'
import { askedQueries } from '../request/asked-queries.ts'
import { urlWithQuery } from '../request/request-url.ts'
import { canonicalQuery } from '../surt/query.ts'
import { surt } from '../surt.ts'
import type { Decoded } from './parameters.ts'
import { textOf, wordOf, wrong } from './parameters.ts'

export interface AskedKeys {
  readonly keys: CaptureKeys
  /** Keys that are meant where no line has those before them. */
  readonly otherwise?: readonly CaptureKeys[]
  /** Holds for the keys that are meant, of all in the ranges. */
  readonly isMeant?: Condition
}

/**
 * Decodes `url` with `matchType`. Without a type `*.host` selects a domain, and `…*` a prefix. `urlkey` in
 * place of `url` is a key as the index has it. `method`, `requestBody` and `requestType` select the responses to a request
 * other than GET.
 */
export const keysAsked = (
  parameters: URLSearchParams,
  matchTypes: readonly MatchType[],
  takesKey = false,
): Decoded<AskedKeys> => {
  const matchType = wordOf(parameters, 'matchType', [...matchTypes, 'default'])
  if (isLeft(matchType)) return matchType
  const given = matchType.right === 'default' ? undefined : matchType.right
  const key = takesKey ? textOf(parameters, 'urlkey') : undefined
  const url = textOf(parameters, 'url')
  if (key !== undefined && url !== undefined) return wrong('urlkey', 'stands beside url; send one of them')
  if (key !== undefined) return right({ keys: keysOf(given ?? 'exact', key, rangeOfPrefix(key)) })
  if (url === undefined)
    return wrong(
      'url',
      `is missing; send the URL that is looked for${takesKey ? ', or its key as urlkey' : ''}`,
    )
  return right(withRequest(parameters, given === undefined ? withoutStar(url) : { matchType: given, url }))
}

export const meant = ({ isMeant }: AskedKeys): readonly Condition[] => (isMeant ? [isMeant] : [])

export const alternatives = ({ otherwise }: AskedKeys): Pick<AskedKeys, 'otherwise'> =>
  otherwise ? { otherwise } : {}

interface AskedUrl {
  readonly matchType: MatchType
  readonly url: string
}

const withoutStar = (url: string): AskedUrl => {
  if (url.startsWith('*.')) return { matchType: 'domain', url: url.slice(2) }
  return url.endsWith('*') ? { matchType: 'prefix', url: url.slice(0, -1) } : { matchType: 'exact', url }
}

export const keysOfUrl = (matchType: MatchType, url: string): CaptureKeys =>
  keysOf(matchType, surt(url), prefixRange(url))

const keysOf = (matchType: MatchType, key: string, prefix: ReturnType<typeof rangeOfPrefix>): CaptureKeys => {
  switch (matchType) {
    case 'exact':
      return { key }
    case 'prefix':
      return { ranges: [prefix] }
    case 'host':
      return { ranges: hostRanges(key) }
    case 'domain':
      return { ranges: domainRanges(key) }
    case 'range':
      return { ranges: [{ from: key }] }
  }
}

/** For one URL, the keys of its requests; for several, their keys that have the parameters of the request. */
const withRequest = (parameters: URLSearchParams, { matchType, url }: AskedUrl): AskedKeys => {
  const method = textOf(parameters, 'method')?.toUpperCase()
  if (method === undefined || method === 'GET') return { keys: keysOfUrl(matchType, url) }
  const body = parameters.get('requestBody') ?? ''
  const queries = askedQueries(method, body, textOf(parameters, 'requestType'))
  if (matchType !== 'exact')
    return {
      keys: keysOfUrl(matchType, url),
      isMeant: hasRequest(method, parameters.has('requestBody') ? queries.flat() : undefined),
    }
  const [keys = keysOfKeys([surt(url)]), ...otherwise] = queries.map((reading) =>
    keysOfKeys(reading.map((query) => surt(urlWithQuery(url, method, query)))),
  )
  return { keys, ...(otherwise.length > 0 && { otherwise }) }
}

const keysOfKeys = (keys: readonly string[]): CaptureKeys => {
  const [first = '', ...others] = [...new Set(keys)].sort()
  return others.length === 0
    ? { key: first }
    : { ranges: [first, ...others].map((key) => ({ from: `${key} `, to: `${key}!` })) }
}

/** Holds for keys of that method: with any body, or with one of the queries and what the URL of the line has itself. */
const hasRequest = (method: string, queries: readonly string[] | undefined): Condition => {
  const word = `__wb_method=${method.toLowerCase()}`
  return ({ key, field }) => {
    if (!key.includes(word)) return false
    const present = canonicalQuery(queryOf(key))
    if (queries === undefined) return present.slice(1).split('&').includes(word)
    const url = field('url').replace(/[?&]__wb_method=.*/s, '')
    return queries.some((query) => canonicalQuery(queryOf(urlWithQuery(url, method, query))) === present)
  }
}

const queryOf = (text: string): string => text.slice(text.indexOf('?') + 1)
