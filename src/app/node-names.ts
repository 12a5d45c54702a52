import { hostname } from 'node:os'
import { v4 as uuid } from 'uuid'
import manifest from '../../package.json' with { type: 'json' }

/** A process, as far as a name says: older programs do not say their version. */
export interface NodeName {
  readonly host: string
  readonly pid: number
  readonly version: string | null
}

/** A name that no other term has, and that says which process it is. */
export const leaderName = (): string => `${hostname()}/${process.pid}/fonds-${manifest.version}/${uuid()}`

const leader = /^(?<host>.+)\/(?<pid>\d+)(?:\/fonds-(?<version>[^/]+))?\/[\da-f-]{36}$/
/** Of the embedded broker; Kafka's own names say nothing of a process. */
const member = /^(?<host>.+)-(?<pid>\d+)-[\da-f]{8}(?:@(?<version>.+))?$/

/** Undefined where the name does not say which process it is. */
export const nodeOf = (name: string): NodeName | undefined => {
  const { host, pid, version } = (leader.exec(name) ?? member.exec(name))?.groups ?? {}
  return host === undefined ? undefined : { host, pid: Number(pid), version: version ?? null }
}
