import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { CaptureKeys } from '../query/capture-query.ts'
import { domainRanges, hostRanges, type MatchType, prefixRange, rangeOfPrefix } from '../query/key-ranges.ts'
import { requestUrl } from '../request-url.ts'
import { surt } from '../surt.ts'
import type { Decoded } from './parameters.ts'
import { textOf, wordOf, wrong } from './parameters.ts'

/**
 * Decodes `url` with `matchType`. Without a type `*.host` selects a domain, and `…*` a prefix. `urlkey` in
 * place of `url` is a key as the index has it. `method` and `requestBody` select the responses to a request
 * other than GET.
 */
export const keysAsked = (
  parameters: URLSearchParams,
  matchTypes: readonly MatchType[],
  takesKey = false,
): Decoded<CaptureKeys> => {
  const matchType = wordOf(parameters, 'matchType', [...matchTypes, 'default'])
  if (isLeft(matchType)) return matchType
  const given = matchType.right === 'default' ? undefined : matchType.right
  const key = takesKey ? textOf(parameters, 'urlkey') : undefined
  const url = textOf(parameters, 'url')
  if (key !== undefined && url !== undefined) return wrong('urlkey', 'stands beside url; send one of them')
  if (key !== undefined) return right(keysOf(given ?? 'exact', key, rangeOfPrefix(key)))
  if (url === undefined)
    return wrong(
      'url',
      `is missing; send the URL that is looked for${takesKey ? ', or its key as urlkey' : ''}`,
    )
  if (given !== undefined) return right(keysOfUrl(given, withBody(parameters, url)))
  if (url.startsWith('*.')) return right(keysOfUrl('domain', url.slice(2)))
  if (url.endsWith('*')) return right(keysOfUrl('prefix', url.slice(0, -1)))
  return right(keysOfUrl('exact', withBody(parameters, url)))
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

/** Adds the body, which is JSON or a form, as it was sent. */
const withBody = (parameters: URLSearchParams, url: string): string => {
  const method = textOf(parameters, 'method')?.toUpperCase()
  if (method === undefined || method === 'GET') return url
  const body = parameters.get('requestBody') ?? ''
  const mime = /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'
  return requestUrl(url, { method, mime, body: Buffer.from(body) })
}
