const any = '*'

/**
 * Parses an allow-list of hosts, separated by commas: `media.example` is that host alone, `.media.example` it
 * and its subdomains, `*` any host at a public address. Names are returned as URLs write them. Undefined if a
 * name is invalid: it has a port, a path or a star.
 */
export const parseHosts = (text: string): readonly string[] | undefined => {
  const named = text.split(',').map((one) => one.trim())
  const hosts = named.filter((one) => one !== '').map(parseHost)
  return hosts.includes(undefined) ? undefined : (hosts as string[])
}

const parseHost = (text: string): string | undefined => {
  if (text === any) return any
  const dot = text.startsWith('.') ? '.' : ''
  const address = `http://${text.slice(dot.length)}`
  const isName =
    /^\.?([\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_.-]*|\[[\da-f:.]+\])$/iu.test(text) && URL.canParse(address)
  return isName ? dot + hostOf(address) : undefined
}

/** Returns true without an allow-list. Compares names; their addresses are checked at the request. */
export const mayAsk = (hosts: readonly string[] | undefined, address: string): boolean => {
  if (!hosts) return true
  const host = hostOf(address)
  return hosts.some((one) => one === any || (one.startsWith('.') ? `.${host}`.endsWith(one) : host === one))
}

/**
 * With an allow-list, a host that is not in it by its own name may lead to public addresses only: anyone with
 * a name beneath an allowed one could let it lead anywhere.
 */
export const mayBeInner = (hosts: readonly string[] | undefined, address: string): boolean =>
  !hosts || hosts.includes(hostOf(address))

/** The host in lower case, without the final dot of a full name. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')
