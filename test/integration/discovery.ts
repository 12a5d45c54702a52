import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A server to test on, or why there is none and what to do about it. */
export type Found = { readonly address: string } | { readonly absent: string }

export const serverNames = [
  'kafka',
  'eventstoredb',
  's3',
  'moto',
  'nginx',
  'rocfl',
  'ocfl-py',
  'bagit',
  'aiosmtpd',
  'file',
  'zstd',
  'sound-programs',
  'surt',
  'cdxj-indexer',
  'fastwarc',
  'pywb',
  'wacz',
  'chromium',
  'promtool',
  'zsh',
  'fish',
  'jwarc',
  'jhove',
  'esdb-python',
  'esdb-node',
  'esdb-go',
  'esdb-java',
  'cloudevents-node',
  'cloudevents-python',
  'cloudevents-python-1',
  'cloudevents-java',
  'tlog-go',
  'litewitness',
  'xmllint',
  'rapper',
  'openssl',
] as const
export type ServerName = (typeof serverNames)[number]

/** One way to have a server; it says itself why it cannot be gone. */
export type Way = () => Promise<Found>

/** The first way that leads to an address; none: every reason, in order. A way that throws has its message for a reason. */
export const firstFound = async (ways: readonly Way[]): Promise<Found> => {
  const reasons: string[] = []
  for (const way of ways) {
    const found = await way().catch((error: unknown): Found => ({ absent: messageOf(error) }))
    if ('address' in found) return found
    reasons.push(found.absent)
  }
  return { absent: reasons.join('; ') }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An address given in the environment; `example` says what one looks like. */
export const givenIn =
  (env: NodeJS.ProcessEnv, variable: string, example: string): Way =>
  async () => {
    const address = env[variable]?.trim()
    return address ? { address } : { absent: `${variable} is not set (${example})` }
  }

/** Where `.ci/judges` installs programs. */
const judges = [
  '',
  'bin',
  'python/bin',
  'archives/bin',
  'py-wacz/bin',
  'jhove',
  'clients',
  'clients/python/bin',
].map((folder) => join(import.meta.dirname, '../../.judges', folder))

/** A program of this machine; it is started by the tests themselves. */
export const installed =
  (program: string, from: string): Way =>
  async () => {
    const folders = [...judges, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    const address = folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
    return address ? { address } : { absent: `${program} is not installed (${from})` }
  }

/** The servers that FONDS_REQUIRE lists. Throws where it names one that there is none of. */
export const requiredIn = (env: NodeJS.ProcessEnv): readonly ServerName[] => {
  const names = (env.FONDS_REQUIRE ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.map((name) => {
    const known = serverNames.find((one) => one === name)
    if (known === undefined)
      throw new Error(`FONDS_REQUIRE: there is no server ${name}; there are ${serverNames.join(', ')}`)
    return known
  })
}

/** One line a server for whoever runs the suite; and the servers that had to be there and are not. */
export const verdict = (
  found: Readonly<Record<ServerName, Found>>,
  required: readonly ServerName[],
): { readonly lines: readonly string[]; readonly missing: readonly string[] } => {
  const lines = serverNames.map((name) => {
    const server = found[name]
    return 'address' in server
      ? `${name}: on ${server.address.replace(/\/\/[^@/]*@/, '//…@')}`
      : `!!! SKIPPED ${name}: its tests do not run. Mending one of these is enough: ${server.absent}`
  })
  const missing = required.flatMap((name) => {
    const server = found[name]
    return 'absent' in server ? [`FONDS_REQUIRE names ${name}, but ${server.absent}`] : []
  })
  return { lines, missing }
}

/** Several programs: the address is their paths, in order, as in PATH. */
export const allInstalled =
  (programs: readonly string[], origin: string): Way =>
  async () => {
    const paths: string[] = []
    for (const program of programs) {
      const found = await installed(program, origin)()
      if ('absent' in found) return found
      paths.push(found.address)
    }
    return { address: paths.join(delimiter) }
  }
