import { type LookupAddress, lookup } from 'node:dns'
import { lookup as lookupAll } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/*
 * Addresses outside the public internet: of this machine, of its network, or of nobody (RFC 6890). A name
 * from somebody else may lead to one of them, whatever it looks like.
 */

const inner = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inner.addSubnet(network, bits, 'ipv4')
  // NAT64 (RFC 6052) leads on to the IPv4 address within it; networks without IPv4 reach public ones in no
  // other way.
  inner.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6')
}
for (const [network, bits] of [
  // Others that contain an IPv4 address: IPv4-compatible, local NAT64, Teredo, 6to4.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  inner.addSubnet(network, bits, 'ipv6')

/** Checks an IPv4 address within IPv6 as that address. */
const isInner = (address: string): boolean => inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Part of each refusal, by which stored reasons are recognised. */
export const noPublicAddress = 'which is no public address'

/** A host leads to an inner address where only public ones are allowed. The message continues the address. */
export class InnerAddress extends Error {
  override readonly name = 'InnerAddress'

  constructor(address: string) {
    super(`leads to ${address}, ${noPublicAddress}`)
  }
}

/** Checks a host that is an address by itself, which is not looked up. Throws `InnerAddress`. */
export const failIfInner = (hostname: string): void => {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0 && isInner(address)) throw new InnerAddress(address)
}

/** Returns false if the host does not resolve now. */
export const leadsInside = async (host: string): Promise<boolean> => {
  try {
    const found = await lookupAll(host.replace(/^\[(.*)\]$/, '$1'), { all: true })
    return found.some(({ address }) => isInner(address))
  } catch {
    return false
  }
}

/** Looks a name up once, for a connection: the address that was checked is the one that is connected to. */
export const lookupPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const refused = error ? undefined : found.find(({ address }) => isInner(address))
    const failure = refused ? new InnerAddress(refused.address) : error
    if (failure) return callback(failure, [])
    if (options.all) return callback(null, found)
    const [{ address, family } = { address: '', family: 4 }] = found
    return callback(null, address, family)
  })
