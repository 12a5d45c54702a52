import { withoutEnd } from './strip.ts'

/** A URL in its parts, as written: each is a text of bytes (`percent.ts`). No fragment, no user. */
export interface SplitUrl {
  readonly scheme: string
  readonly host: string
  /** 0: none is given. */
  readonly port: number
  readonly path: string
  readonly query: string
}

/** RFC 3986 §3.1, with `http://` if there is no scheme. */
export const splitUrl = (text: string): SplitUrl => {
  const [, ordinaryScheme, host = '', path = '', query = ''] = ordinary.exec(text) ?? []
  if (ordinaryScheme !== undefined) return { scheme: ordinaryScheme, host, port: 0, path, query }
  const scheme = schemes.exec(text)?.[0]
  return scheme === undefined
    ? splitBehind('http', `//${text}`)
    : splitBehind(scheme.slice(0, -1), text.slice(scheme.length))
}

/** Most URLs: no user, no port. */
const ordinary = /^(https?):\/\/([a-z\d.-]+)(\/[^?#]*)?(?:\?([^#]*))?(?:#|$)/
const schemes = /^[a-z][a-z\d+.-]*:/i

const splitBehind = (scheme: string, rest: string): SplitUrl => {
  const [withoutFragment] = cut(rest, '#')
  const [hierarchy, query] = cut(withoutFragment, '?')
  const authorityEnd = hierarchy.startsWith('//') ? endOr(hierarchy, hierarchy.indexOf('/', 2)) : 0
  const { host, port } = splitAuthority(hierarchy.slice(2, authorityEnd))
  const path = hierarchy.slice(authorityEnd)
  return host === '' && scheme.startsWith('http')
    ? { scheme, ...hostInPath(path), port, query }
    : { scheme, host, port, path, query }
}

/** `http:///example.org/a`, `http:example.org/a`: finds the host as browsers do. */
const hostInPath = (path: string): Pick<SplitUrl, 'host' | 'path'> => {
  const from = path.search(/[^/]/)
  if (from === -1) return { host: '', path: path.slice(0, 1) }
  const to = endOr(path, path.indexOf('/', from))
  return { host: path.slice(from, to), path: path.slice(to) || '/' }
}

/** If the port is not a number, it belongs to the host. */
const splitAuthority = (authority: string): Pick<SplitUrl, 'host' | 'port'> => {
  const address = withoutEnd(authority.slice(authority.lastIndexOf('@') + 1), ':')
  const bracket = address.indexOf('[')
  const [host, port] = bracket === -1 ? cut(address, ':') : splitBrackets(address.slice(bracket + 1))
  return isPort.test(port) && Number(port) <= maxPort
    ? { host, port: Number(port) }
    : { host: address, port: 0 }
}

/** `[::1]:80`. */
const splitBrackets = (address: string): readonly [string, string] => {
  const [host, behind] = cut(address, ']')
  return [host, cut(behind, ':')[1]]
}

const isPort = /^\d*$/
const maxPort = 65535

/** The text before the first `mark`, and the text behind it. */
const cut = (text: string, mark: string): readonly [string, string] => {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

const endOr = (text: string, at: number): number => (at === -1 ? text.length : at)
