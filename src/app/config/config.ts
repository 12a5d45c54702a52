import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { explain, pathOf } from '../../domain/kernel/codecs.ts'
import { hiddenAddress } from '../../domain/kernel/server-address.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { whyServiceLink } from './service-links.ts'
import { settings } from './setting-words.ts'
import { type Config, Settings } from './settings.ts'

/** What holds where nothing else is said. */
export const defaultConfig = (home: string): Config => ({
  home,
  homeMode: 'private',
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
  maxDeaths: 3,
  stallSeconds: 60,
  mediaCacheBytes: 20 * 1024 ** 3,
  mediaDecodedBytes: 40 * 1024 ** 3,
  researchDriftPercent: 0,
  dutySeconds: 15,
  topicPrefix: '',
  replication: -1,
  kafkaClientId: 'fonds',
  kafkaTls: 'off',
  kafkaCompression: 'none',
  kafkaLingerMillis: 5,
  ingestWork: join(home, 'ingest-work'),
  ingestStorage: join(home, 'storage'),
  ingestInventory: 'own',
  ingestShoulder: 'ark:/99999/fk4',
  ingestThresholdPercent: 80,
  ingestUnknownBytes: 1024 ** 3,
  ingestFolderDays: 3,
  ingestUploadBytes: 20 * 1024 ** 3,
  ingestCharacteriseSeconds: 300,
  indexingPollSeconds: 900,
  indexingGraceSeconds: 600,
  indexingRetrySeconds: 900,
  indexingAttempts: 3,
  indexingOrder: 'newest-first',
  indexingFolder: join(home, 'index'),
  indexingFormat: 'cdx-11',
  indexingAggregateSeconds: 600,
  indexingScanLines: 1_000_000,
  indexingSort: 'own',
  noticesAfterSeconds: 300,
  pastCopies: 12,
})

type Source = Readonly<Record<string, unknown>>

/** Flags over `FONDS_*` over the config file over defaults. Left: one line for each wrong value. */
export const readConfig = (flags: Source, env: NodeJS.ProcessEnv): Either<readonly string[], Config> => {
  const file = readFile(firstGiven(flags.config, env.FONDS_CONFIG))
  const given: Record<string, unknown> = {}
  const links: string[] = []
  for (const [key, { env: name, number }] of Object.entries(settings)) {
    const link = flags[key] === undefined ? whyServiceLink(name, env[name]) : undefined
    if (link !== undefined) links.push(link)
    const value = firstGiven(flags[key], link === undefined ? env[name] : undefined, file.settings[key])
    if (value !== undefined) given[key] = number ? numeric(value) : value
  }
  if (typeof given.home === 'string') given.home = resolve(atHome(given.home))
  if (typeof given.ingestStorage === 'string') given.ingestStorage = atHome(given.ingestStorage)
  if (typeof given.indexingFolder === 'string') given.indexingFolder = atHome(given.indexingFolder)
  if (typeof given.eventStore === 'string')
    given.eventStore = given.eventStore.replace(/^sqlite:(.+)/, (_, path: string) => `sqlite:${atHome(path)}`)
  const whole = {
    ...defaultConfig(typeof given.home === 'string' ? given.home : resolve('.fonds')),
    ...given,
  }
  const decoded = Settings.decode(whole)
  const wrong = decoded._tag === 'Left' ? decoded.left.map((error) => withName(explain([shown(error)]))) : []
  const invalid = [...file.invalid, ...links, ...wrong, ...contradictions(whole)]
  return invalid.length > 0 || decoded._tag === 'Left' ? left(invalid) : right(decoded.right)
}

/** A value that may hold a password is not quoted. */
const shown = (error: t.ValidationError): t.ValidationError => {
  const { secret, login } = settings[pathOf(error.context) as keyof Config] ?? {}
  if (secret) return { ...error, value: '(not shown)' }
  return login ? { ...error, value: hiddenAddress(String(error.value)) } : error
}

/** Empty text counts as absent: many tools unset a variable so. */
const firstGiven = (...values: readonly unknown[]): unknown =>
  values.find((value) => value !== undefined && value !== '')

const readFile = (path: unknown): { readonly settings: Source; readonly invalid: readonly string[] } => {
  if (path === undefined) return { settings: {}, invalid: [] }
  const inFile = (sentence: string) => `config file ${path}: ${sentence} (--config, FONDS_CONFIG)`
  try {
    const parsed: unknown = JSON.parse(readFileSync(atHome(String(path)), 'utf8'))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return { settings: {}, invalid: [inFile('must hold a JSON object')] }
    const unknown = Object.keys(parsed).filter((key) => !Object.hasOwn(settings, key))
    const known = Object.keys(settings).join(', ')
    return {
      settings: parsed as Source,
      invalid: unknown.map((key) => inFile(`there is no setting ${key}; there are ${known}`)),
    }
  } catch (error) {
    // The message of JSON.parse quotes the file, which may hold a password: only the place is taken from it.
    const place = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0] ?? ''
    const says = error instanceof SyntaxError ? `is not JSON ${place}`.trim() : (error as Error).message
    return { settings: {}, invalid: [inFile(says)] }
  }
}

const numeric = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

/** Adds to a sentence that begins with a setting's name how the setting is given. */
const withName = (line: string): string => {
  const key = line.slice(0, line.indexOf(':')) as keyof Config
  return `${line} (${nameOf(key)})`
}

/** How a setting is given: `--kafka-tls, FONDS_KAFKA_TLS`. */
export const nameOf = (key: keyof Config): string => `--${dashed(key)}, ${settings[key].env}`

/** Settings that contradict each other, a sentence each. */
const contradictions = (given: Source): readonly string[] => {
  const { idleMinSeconds, idleMaxSeconds, host, token, readToken, gateway, eventStore } = given
  return [
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
    ...(readToken !== undefined && (token === undefined || token === readToken)
      ? [
          withName(
            'readToken: stands beside a token that may do all, and is another: give --token, FONDS_TOKEN, too',
          ),
        ]
      : []),
    ...(gateway !== undefined && !String(eventStore).startsWith('sqlite:')
      ? [
          withName(
            "gateway: it opens the embedded log to others; theirs already speaks EventStoreDB's protocol",
          ),
        ]
      : []),
    ...together(given, ['kafkaSasl', 'kafkaUsername', 'kafkaPassword']),
    ...together(given, ['mailServer', 'mailFrom']),
    ...together(given, ['mailUsername', 'mailPassword']),
    ...(given.noticesMail !== undefined && given.mailServer === undefined
      ? [withName('noticesMail: nothing can be mailed without mailServer and mailFrom; set them, too')]
      : []),
    ...together(given, ['ezidServer', 'ezidUsername', 'ezidPassword']),
    ...together(given, ['kafkaCertFile', 'kafkaKeyFile']),
    ...together(given, ['tlsCertFile', 'tlsKeyFile']),
    ...withoutTls(given),
  ]
}

/** Whoever names certificates means TLS: without it, a password would be sent in the clear. */
const withoutTls = (given: Source): readonly string[] =>
  given.kafkaTls === 'off'
    ? (['kafkaCaFile', 'kafkaCertFile'] as const)
        .filter((key) => given[key] !== undefined)
        .map((key) => withName(`${key}: is of use over TLS only; set kafkaTls to on`))
    : []

/** Settings that are given all together or not at all. */
const together = (given: Source, keys: readonly (keyof Config)[]): readonly string[] => {
  const missing = keys.filter((key) => given[key] === undefined)
  return missing.length === 0 || missing.length === keys.length
    ? []
    : missing.map((key) =>
        withName(`${key}: is missing beside ${keys.filter((one) => one !== key).join(' and ')}`),
      )
}

/**
 * The file of the embedded log and the embedded topics, which share one. Where the log was moved to a server, the topics
 * stay in their file, with the messages that wait there. Undefined where both are on servers.
 */
export const embeddedFile = ({ eventStore, broker, home }: Config): string | undefined => {
  if (eventStore.startsWith('sqlite:')) return eventStore.slice('sqlite:'.length)
  return broker === 'embedded' ? join(home, 'fonds.db') : undefined
}

/** The file of the views, how they are made in it, and the folder of their copies: the same for all threads of a process. */
export const viewsOf = ({ home, pastDays }: Config) => ({
  file: join(home, 'views.db'),
  keepsPast: pastDays !== 0,
  copies: join(home, 'views-copies'),
})

export const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const isLocal = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
