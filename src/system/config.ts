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

/** A day at most: timers hold no more than 24 days, and waits that long are slips of the pen. */
const Seconds = t.refinement(PositiveInteger, (n) => n <= 86_400, 'whole number of seconds from 1 to 86400')

const Partitions = t.refinement(PositiveInteger, (n) => n <= 1024, 'whole number from 1 to 1024')
const Days = t.refinement(PositiveInteger, (n) => n <= 36_500, 'whole number of days from 1 to 36500')

const Settings = t.intersection([
  t.type({
    home: Text,
    eventStore: Store,
    broker: BrokerAddress,
    durability: Durability,
    partitions: Partitions,
    host: Text,
    port: Port,
    logLevel: Level,
    hands: PositiveInteger,
    threads: PositiveInteger,
    idleMinSeconds: Seconds,
    idleMaxSeconds: Seconds,
    claimSeconds: Seconds,
    stallSeconds: Seconds,
  }),
  t.partial({
    token: Text,
    retentionDays: Days,
    bytesPerSecond: PositiveInteger,
    itemsPerSecond: PositiveInteger,
  }),
])

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
  retentionDays: {
    env: 'FONDS_RETENTION_DAYS',
    number: true,
    says: 'days that handled messages stay on their topic (default: for ever); events always stay',
  },
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
  logLevel: 'warn',
  hands: 20,
  threads: 2,
  idleMinSeconds: 60,
  idleMaxSeconds: 480,
  claimSeconds: 300,
  stallSeconds: 60,
})

type Source = Readonly<Record<string, unknown>>

/** Flags over `FONDS_*` over the config file over defaults. Left: one line for each wrong value. */
export const readConfig = (flags: Source, env: NodeJS.ProcessEnv): Either<readonly string[], Config> => {
  const file = readFile(firstGiven(flags.config, env.FONDS_CONFIG))
  const given: Record<string, unknown> = {}
  for (const [key, { env: name, number }] of Object.entries(settings)) {
    const value = firstGiven(flags[key], env[name], file.settings[key])
    if (value !== undefined) given[key] = number ? numeric(value) : value
  }
  if (typeof given.home === 'string') given.home = resolve(atHome(given.home))
  if (typeof given.eventStore === 'string')
    given.eventStore = given.eventStore.replace(/^sqlite:(.+)/, (_, path: string) => `sqlite:${atHome(path)}`)
  const whole = { ...defaults(typeof given.home === 'string' ? given.home : resolve('.fonds')), ...given }
  const decoded = Settings.decode(whole)
  const wrong = decoded._tag === 'Left' ? decoded.left.map((error) => withName(explain([error]))) : []
  const faults = [...file.faults, ...wrong, ...contradictions(whole)]
  return faults.length > 0 || decoded._tag === 'Left' ? left(faults) : right(decoded.right)
}

/** Empty text is as good as nothing: that is how a variable is unset in many places. */
const firstGiven = (...values: readonly unknown[]): unknown =>
  values.find((value) => value !== undefined && value !== '')

/** `~` at the beginning of a path is the user's own folder. */
export const atHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir())

const readFile = (path: unknown): { readonly settings: Source; readonly faults: readonly string[] } => {
  if (path === undefined) return { settings: {}, faults: [] }
  const fault = (sentence: string) => `config file ${path}: ${sentence} (--config, FONDS_CONFIG)`
  try {
    const parsed: unknown = JSON.parse(readFileSync(atHome(String(path)), 'utf8'))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return { settings: {}, faults: [fault('must hold a JSON object')] }
    const unknown = Object.keys(parsed).filter((key) => !Object.hasOwn(settings, key))
    const known = Object.keys(settings).join(', ')
    return {
      settings: parsed as Source,
      faults: unknown.map((key) => fault(`there is no setting ${key}; there are ${known}`)),
    }
  } catch (error) {
    return { settings: {}, faults: [fault((error as Error).message)] }
  }
}

const numeric = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

/** Says behind a sentence that begins with a setting where the setting is made. */
const withName = (line: string): string => {
  const key = line.slice(0, line.indexOf(':')) as keyof Config
  return `${line} (--${dashed(key)}, ${settings[key].env})`
}

/** What is wrong between settings, of those that can be read. */
const contradictions = ({ idleMinSeconds, idleMaxSeconds, host, token }: Source): readonly string[] => [
  ...(Number(idleMaxSeconds) < Number(idleMinSeconds)
    ? [
        withName(
          `idleMaxSeconds: ${idleMaxSeconds} is below idleMinSeconds, ${idleMinSeconds}; give it that at least`,
        ),
      ]
    : []),
  ...(typeof host === 'string' && !isLocal(host) && token === undefined
    ? [`host: ${host} can be reached from elsewhere, so a token is needed (--token, FONDS_TOKEN)`]
    : []),
]

export const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const isLocal = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
