/**
 * An allow-list of hosts, from names with commas between: `media.example` is that host alone, `.media.example` it and all
 * beneath it. Names come out as URLs write them. Undefined where one is no name: it has a port, a path or a star.
 */
export const parseHosts = (text: string): readonly string[] | undefined => {
  const named = text.split(',').map((one) => one.trim())
  const hosts = named.filter((one) => one !== '').map(parseHost)
  return hosts.includes(undefined) ? undefined : (hosts as string[])
}

const parseHost = (text: string): string | undefined => {
  const dot = text.startsWith('.') ? '.' : ''
  const address = `http://${text.slice(dot.length)}`
  const isName =
    /^\.?([\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_.-]*|\[[\da-f:.]+\])$/iu.test(text) && URL.canParse(address)
  return isName ? dot + hostOf(address) : undefined
}

/** True without an allow-list. Names are compared, not the IP addresses that they resolve to. */
export const mayAsk = (hosts: readonly string[] | undefined, address: string): boolean => {
  if (!hosts) return true
  const host = hostOf(address)
  return hosts.some((one) => (one.startsWith('.') ? `.${host}`.endsWith(one) : host === one))
}

/** In lower case, without the dot that a full name may end with. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')
