/* Headers in which a proxy names who signed in there, as the setting `proxyHeaders` has them. */

export interface ProxyHeaders {
  readonly user: string
  readonly name?: string
  readonly mail?: string
  readonly groups?: string
  /** Where a browser goes to sign out: a path of the proxy, or an address. */
  readonly leave?: string
}

export const proxyHeadersForm =
  'headers of a proxy (user=Remote-User name=Remote-Name mail=Remote-Email groups=Remote-Groups leave=/logout; user= is needed)'

const token = /^[A-Za-z0-9-]+$/
const keys = ['user', 'name', 'mail', 'groups', 'leave']

/** Returns the names; undefined if they cannot be read. */
export const parseProxyHeaders = (text: string): ProxyHeaders | undefined => {
  const given: Record<string, string> = {}
  for (const pair of text.trim().split(/\s+/)) {
    const [, key = '', value = ''] = /^([^=]*)=(.+)$/.exec(pair) ?? []
    if (!keys.includes(key) || Object.hasOwn(given, key)) return undefined
    if (key === 'leave' ? !/^(\/(?!\/)|https:\/\/)[!-~]+$/.test(value) : !token.test(value)) return undefined
    given[key] = value
  }
  const { user, ...others } = given
  const names = Object.entries(given).flatMap(([key, value]) =>
    key === 'leave' ? [] : [value.toLowerCase()],
  )
  if (user === undefined || new Set(names).size < names.length) return undefined
  return { user, ...others }
}
