/**
 * Host names with commas between, as fetch writes them: `media.example` is that host alone, `.media.example` it and all
 * beneath it. Undefined where one of them is none: a port, a path and a star are not part of a name.
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

/** Is the address on one of the hosts, if there are any? Names are compared, not what they stand for in the net. */
export const mayAsk = (hosts: readonly string[] | undefined, address: string): boolean => {
  if (!hosts) return true
  const host = hostOf(address)
  return hosts.some((one) => (one.startsWith('.') ? `.${host}`.endsWith(one) : host === one))
}

/** In lower case, without the dot that a full name may end with. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')
