import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { explain, NonNegativeInteger, PositiveInteger, Text } from '../domain/kernel/codecs.ts'

export const roles = ['processors', 'reactions', 'projections', 'workers', 'api'] as const
export type Role = (typeof roles)[number]

const Port = t.refinement(NonNegativeInteger, (n) => n <= 65_535, 'port (0 to 65535)')
const Level = t.keyof(
  { fatal: null, error: null, warn: null, info: null, debug: null, trace: null, silent: null },
  'log level',
)
const Store = t.refinement(t.string, (s) => /^sqlite:.+/.test(s), 'event store address (sqlite:<file>)')
const BrokerAddress = t.refinement(t.string, (s) => s === 'embedded', 'broker address (embedded)')
const Durability = t.keyof({ full: null, normal: null }, 'durability (full or normal)')

const Settings = t.type({
  home: Text,
  eventStore: Store,
  broker: BrokerAddress,
  durability: Durability,
  partitions: PositiveInteger,
  host: Text,
  port: Port,
  token: t.union([Text, t.undefined]),
  logLevel: Level,
  hands: PositiveInteger,
  threads: PositiveInteger,
  bytesPerSecond: t.union([PositiveInteger, t.undefined]),
  itemsPerSecond: t.union([PositiveInteger, t.undefined]),
  idleMinSeconds: PositiveInteger,
  idleMaxSeconds: PositiveInteger,
  claimSeconds: PositiveInteger,
  stallSeconds: PositiveInteger,
})

export type Config = t.TypeOf<typeof Settings>

/** Each setting's words: flag, environment variable, meaning. The one list that help, docs and reading are made from. */
export const settings: Readonly<
  Record<keyof Config, { readonly env: string; readonly number?: boolean; readonly says: string }>
> = {
  home: { env: 'FONDS_HOME', says: 'folder that holds the log, the topics and the views (default ./.fonds)' },
  eventStore: { env: 'FONDS_EVENT_STORE', says: 'sqlite:<file> (default sqlite:<home>/fonds.db)' },
  broker: { env: 'FONDS_BROKER', says: 'embedded' },
  durability: { env: 'FONDS_DURABILITY', says: 'full survives a power cut, normal a crash of the process' },
  partitions: { env: 'FONDS_PARTITIONS', number: true, says: 'partitions of a topic when it is made' },
  host: { env: 'FONDS_HOST', says: 'address to listen on; any but this machine needs a token' },
  port: { env: 'FONDS_PORT', number: true, says: 'port to listen on; 0 picks a free one' },
  token: {
    env: 'FONDS_TOKEN',
    says: 'bearer token that writes (and all requests from elsewhere) must carry',
  },
  logLevel: { env: 'FONDS_LOG_LEVEL', says: 'fatal, error, warn, info, debug, trace or silent' },
  hands: { env: 'FONDS_HANDS', number: true, says: 'checks under way at once in a worker' },
  threads: { env: 'FONDS_THREADS', number: true, says: 'threads that digest content' },
  bytesPerSecond: {
    env: 'FONDS_BYTES_PER_SECOND',
    number: true,
    says: 'most bytes a worker reads in a second',
  },
  itemsPerSecond: {
    env: 'FONDS_ITEMS_PER_SECOND',
    number: true,
    says: 'most items a worker checks in a second',
  },
  idleMinSeconds: {
    env: 'FONDS_IDLE_MIN_SECONDS',
    number: true,
    says: 'first wait before an empty queue is looked at again',
  },
  idleMaxSeconds: { env: 'FONDS_IDLE_MAX_SECONDS', number: true, says: 'longest such wait' },
  claimSeconds: { env: 'FONDS_CLAIM_SECONDS', number: true, says: 'how long a claim holds without a word' },
  stallSeconds: { env: 'FONDS_STALL_SECONDS', number: true, says: 'how long a reading may give no byte' },
}

const defaults = (home: string): Config => ({
  home,
  eventStore: `sqlite:${join(home, 'fonds.db')}`,
  broker: 'embedded',
  durability: 'full',
  partitions: 4,
  host: '127.0.0.1',
  port: 7070,
  token: undefined,
  logLevel: 'warn',
  hands: 20,
  threads: 2,
  bytesPerSecond: undefined,
  itemsPerSecond: undefined,
  idleMinSeconds: 60,
  idleMaxSeconds: 480,
  claimSeconds: 300,
  stallSeconds: 60,
})

type Source = Readonly<Record<string, unknown>>

/** Flags over `FONDS_*` over the config file over defaults. Left: one line for each wrong value. */
export const readConfig = (flags: Source, env: NodeJS.ProcessEnv): Either<readonly string[], Config> => {
  const file = readFile(String(flags.config ?? env.FONDS_CONFIG ?? ''))
  if (typeof file === 'string') return left([file])
  const given: Record<string, unknown> = {}
  const faults: string[] = unknownKeys(file)
  for (const [key, { env: name }] of Object.entries(settings)) {
    const value = flags[key] ?? env[name] ?? file[key]
    if (value !== undefined && value !== '') given[key] = numeric(key as keyof Config, value)
  }
  const home = resolve(String(given.home ?? './.fonds').replace(/^~(?=\/|$)/, homedir()))
  const whole = { ...defaults(home), ...given, home }
  const decoded = Settings.decode(whole)
  if (decoded._tag === 'Left') faults.push(...decoded.left.map((error) => explain([error])).map(withName))
  else faults.push(...contradictions(decoded.right))
  return faults.length > 0 || decoded._tag === 'Left' ? left([...new Set(faults)]) : right(decoded.right)
}

const readFile = (path: string): Source | string => {
  if (!path) return {}
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Source)
      : `config file ${path}: must hold a JSON object`
  } catch (error) {
    return `config file ${path}: ${(error as Error).message}`
  }
}

const unknownKeys = (file: Source): string[] =>
  Object.keys(file)
    .filter((key) => !(key in settings))
    .map((key) => `config file: there is no setting ${key}; there are ${Object.keys(settings).join(', ')}`)

const numeric = (key: keyof Config, value: unknown): unknown =>
  settings[key].number && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

const withName = (line: string): string => {
  const key = line.split(':')[0] as keyof Config
  return settings[key] ? `${line} (--${dashed(key)}, ${settings[key].env})` : line
}

export const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const contradictions = (config: Config): string[] => [
  ...(config.idleMaxSeconds < config.idleMinSeconds
    ? ['idleMaxSeconds: must not be below idleMinSeconds (--idle-max-seconds, FONDS_IDLE_MAX_SECONDS)']
    : []),
  ...(!isLocal(config.host) && !config.token
    ? [`host: ${config.host} can be reached from elsewhere, so a token is needed (--token, FONDS_TOKEN)`]
    : []),
]

export const isLocal = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
