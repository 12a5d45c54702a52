import { surt } from '../surt.ts'

/** Keys from `from` up to `to`, which is exclusive; absent: to the last. Both are ASCII. */
export interface KeyRange {
  readonly from: string
  readonly to?: string
}

export const matchTypes = ['exact', 'prefix', 'host', 'domain', 'range'] as const
export type MatchType = (typeof matchTypes)[number]

/** Keys of URLs with a prefix. A slash or `?` at its end counts, though a key would drop it. */
export const prefixRange = (url: string): KeyRange => {
  const key = surt(url)
  const end = url.at(-1) ?? ''
  return rangeOfPrefix((end === '/' || end === '?') && !key.endsWith(end) ? key + end : key)
}

export const rangeOfPrefix = (from: string): KeyRange => ({ from, to: successor(from) })

/**
 * Keys of a host with all of its ports, which sort behind other hosts (`com,example-b)/` is before
 * `com,example:8080)/`). A URL with a port selects that one.
 */
export const hostRanges = (key: string): readonly KeyRange[] => {
  const host = hostOf(key)
  const own = rangeOfPrefix(`${host})`)
  return hasPort(host) ? [own] : [own, rangeOfPrefix(`${host}:`)]
}

/** Keys of a host and all of its subdomains. */
export const domainRanges = (key: string): readonly KeyRange[] => {
  const host = hostOf(key)
  const own = { from: `${host})`, to: `${host}-` }
  return hasPort(host) ? [own] : [own, rangeOfPrefix(`${host}:`)]
}

/** `com,example:8080` of `com,example:8080)/a`. */
const hostOf = (key: string): string => {
  const end = key.indexOf(')')
  return end === -1 ? key : key.slice(0, end)
}

const hasPort = (host: string): boolean => /:\d+$/.test(host)

/** The first text behind those with a prefix; keys have no byte above 0x7e. */
const successor = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
