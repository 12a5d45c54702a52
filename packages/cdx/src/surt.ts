import { canonicalHost, reversedHost } from './surt/host.ts'
import { canonicalPath, opaquePath } from './surt/path.ts'
import { bytesOf, escaped } from './surt/percent.ts'
import { canonicalQuery } from './surt/query.ts'
import { type SplitUrl, splitUrl } from './surt/split-url.ts'
import { withoutEnd, withoutStart } from './surt/strip.ts'

/**
 * The key of a URL: its Sort-friendly URI Reordering Transform, in the dialect of PyPI's `surt`, which pywb and cdxj-indexer write.
 * `http://www.Example.com/B?c&a` has the key `com,example)/b?a&c`.
 *
 * A key is printable ASCII without blanks, whatever the URL is; '-' for a URL of blanks alone.
 */
export const surt = (url: string): string => {
  if (url.startsWith('filedesc')) return bytesOf(url).replace(notPrintable, escaped)
  const text = isPrintable.test(url) ? url : bytesOf(withoutBlanks(url))
  if (text === '') return '-'
  const parts = splitUrl(text)
  const host = canonicalHost(parts.host, parts.scheme !== 'dns')
  return host === '' ? keyWithoutHost(parts) : keyWithHost(host, parts)
}

/** The key of a URL with another query than its own. */
export const surtWithQuery = (url: string, query: string): string =>
  surt(url.replace(/[?#].*/s, '')) + canonicalQuery(query)

const isPrintable = /^[\x21-\x7e]*$/
const notPrintable = /[^\x21-\x7e]/g

/** Removes blanks at the ends, and line breaks and tabs anywhere. */
const withoutBlanks = (url: string): string =>
  withoutEnd(withoutStart(url, blanks), blanks).replace(/[\t\n\r]/g, '')

const blanks = ' \t\n\v\f\r'

const keyWithHost = (host: string, parts: SplitUrl): string =>
  `${reversedHost(host)}${portOf(parts)})${canonicalPath(parts.path)}${canonicalQuery(parts.query)}`

/** `dns:`, `mailto:`, `urn:` and the like: the text behind the scheme is not divided. */
const keyWithoutHost = ({ scheme, path, query }: SplitUrl): string => {
  const canonical = canonicalQuery(query)
  return `${scheme}:${path === '' && canonical !== '' ? '/' : opaquePath(path)}${canonical}`
}

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 }

/** `:8080`, or nothing for the scheme's default port. */
const portOf = ({ scheme, port }: SplitUrl): string =>
  port === 0 || port === defaultPorts[scheme.toLowerCase()] ? '' : `:${port}`
