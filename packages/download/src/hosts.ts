const any = '*'

/**
 * Parses an allow-list of hosts, names with commas between: `media.example` is that host alone, `.media.example` it and all
 * beneath it, `*` any at a public address. Names come out as URLs write them. Undefined where one is no name: it has a port, a path or a star.
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

/** True without an allow-list. Names are compared; the addresses that they lead to are looked at when they are asked. */
export const mayAsk = (hosts: readonly string[] | undefined, address: string): boolean => {
  if (!hosts) return true
  const host = hostOf(address)
  return hosts.some((one) => one === any || (one.startsWith('.') ? `.${host}`.endsWith(one) : host === one))
}

/**
 * With an allow-list, a host that is not in it by its own name may lead to public addresses alone: whoever has a name beneath
 * an allowed one could let it lead anywhere.
 */
export const mayBeInner = (hosts: readonly string[] | undefined, address: string): boolean =>
  !hosts || hosts.includes(hostOf(address))

/** In lower case, without the dot that a full name may end with. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')
