import { hostname } from 'node:os'
import { v4 as uuid } from 'uuid'
import manifest from '../../package.json' with { type: 'json' }

/** A process, as its name describes it: names of older programs have no version. */
export interface NodeName {
  readonly host: string
  readonly pid: number
  readonly version: string | null
}

/** Returns a name unique to the term, which identifies the process. */
export const leaderName = (): string => `${hostname()}/${process.pid}/fonds-${manifest.version}/${uuid()}`

const leader = /^(?<host>.+)\/(?<pid>\d+)(?:\/fonds-(?<version>[^/]+))?\/[\da-f-]{36}$/
/** Members of the embedded broker; Kafka's own names do not identify a process. */
const member = /^(?<host>.+)-(?<pid>\d+)-[\da-f]{8}(?:@(?<version>.+))?$/

/** Returns undefined if the name does not identify a process. */
export const nodeOf = (name: string): NodeName | undefined => {
  const { host, pid, version } = (leader.exec(name) ?? member.exec(name))?.groups ?? {}
  return host === undefined ? undefined : { host, pid: Number(pid), version: version ?? null }
}
