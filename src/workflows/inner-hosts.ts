import { parseHosts } from '@fonds/download'
import { leadsInside, noPublicAddress } from '@fonds/download/addresses'
import { withTimeout } from '../async/with-timeout.ts'
import { plural } from '../domain/kernel/amounts.ts'
import { type Finding, ok, warn } from './finding.ts'

/* Hosts of inner networks that foreign messages may reach, and requests that were refused because they lead to one. */

const check = 'inner hosts'
const lookupMillis = 2000

/** Reports the hosts of a setting that lead to an inner network. */
export const innerHosts = async (setting: string, hosts: string | undefined): Promise<readonly Finding[]> => {
  const byName = (parseHosts(hosts ?? '') ?? []).filter((host) => host !== '*' && !host.startsWith('.'))
  const resolved = await Promise.all(
    byName.map(async (host) =>
      (await withTimeout(leadsInside(host), lookupMillis, () => false)) ? [host] : [],
    ),
  )
  const inside = resolved.flat()
  return inside.length === 0
    ? []
    : [ok(check, `${setting} lets what comes over HTTP lead to ${inside.join(', ')}, not public`)]
}

export type Reason = string | null | undefined

/** Most rows that are read from each view, the newest first: there can be a million. */
export const mostRead = 1000

/** Reports those of the newest failures whose addresses lead to an inner network. */
export const ledInside = (setting: string, noun: string, reasons: readonly Reason[]): readonly Finding[] => {
  const [first, ...others] = reasons.flatMap((reason) => (reason?.includes(noPublicAddress) ? [reason] : []))
  const atLeast = reasons.length < mostRead ? '' : 'at least '
  return first === undefined
    ? []
    : [
        warn(
          check,
          `${atLeast}${plural(others.length + 1, noun)} named over HTTP ${others.length === 0 ? 'leads' : 'lead'} to no public address: ${first}`,
          `if the host is yours, \`${setting}=*,<host>\` lets it be asked beside all public ones; then have it tried again`,
        ),
      ]
}
