import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Either, left, map, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { explain, pathOf } from '../../domain/kernel/codecs.ts'
import { hiddenAddress } from '../../domain/kernel/server-address.ts'
import { isNumber, variableOf, withName } from '../../domain/kernel/setting.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { nodeContradictions } from '../../workflows/settings.ts'
import { whyServiceLink } from './service-links.ts'
import { type Config, defaultConfig, isSetting, Settings, settings } from './settings.ts'

type Source = Readonly<Record<string, unknown>>

/** Source of a setting. */
export type Given = 'flag' | 'environment' | 'config file'
export type GivenSettings = Readonly<Partial<Record<keyof Config, Given>>>

/**
 * Flags override `FONDS_*`, which override the config file, which overrides defaults. Left: one line for each wrong
 * value.
 */
export const readConfig = (flags: Source, env: NodeJS.ProcessEnv): Either<readonly string[], Config> =>
  map(({ config }: { readonly config: Config }) => config)(readSettings(flags, env))

/** The same, with the source of each; settings of the log come between (`log-settings.ts`), once it is open. */
export const readSettings = (
  flags: Source,
  env: NodeJS.ProcessEnv,
): Either<readonly string[], { readonly config: Config; readonly given: GivenSettings }> => {
  const file = readFile(firstGiven(flags.config, env.FONDS_CONFIG))
  const values: Record<string, unknown> = {}
  const given: Partial<Record<keyof Config, Given>> = {}
  const links: string[] = []
  for (const key of Object.keys(settings).filter(isSetting)) {
    const name = variableOf(key)
    const link = flags[key] === undefined ? whyServiceLink(name, env[name]) : undefined
    if (link !== undefined) links.push(link)
    const sources: readonly (readonly [Given, unknown])[] = [
      ['flag', flags[key]],
      ['environment', link === undefined ? env[name] : undefined],
      ['config file', file.settings[key]],
    ]
    const found = sources.find(([, value]) => firstGiven(value) !== undefined)
    if (!found) continue
    given[key] = found[0]
    values[key] = asGiven(key, found[1])
  }
  const whole = {
    ...defaultConfig(typeof values.home === 'string' ? values.home : resolve('.fonds')),
    ...values,
  }
  const decoded = Settings.decode(whole)
  const wrong = decoded._tag === 'Left' ? decoded.left.map(wrongSetting) : []
  const invalid = [...file.invalid, ...links, ...wrong, ...nodeContradictions(whole)]
  return invalid.length > 0 || decoded._tag === 'Left'
    ? left(invalid)
    : right({ config: decoded.right, given })
}

/** Converts a value for its codec: a text that is a number, a path that begins at the user's home. */
export const asGiven = (key: keyof Config, value: unknown): unknown => {
  if (isNumber(settings[key])) return numeric(value)
  if (typeof value !== 'string') return value
  if (key === 'home') return resolve(atHome(value))
  if (key === 'eventStore')
    return value.replace(/^sqlite:(.+)/, (_, path: string) => `sqlite:${atHome(path)}`)
  return settings[key].archive?.isPath === 'one' ? atHome(value) : value
}

/** Describes a wrong setting, and how it is given. */
export const wrongSetting = (error: t.ValidationError): string => withName(explain([shown(error)]))

/** Hides a value that may contain a password. */
const shown = (error: t.ValidationError): t.ValidationError => {
  const { secret, login } = settings[pathOf(error.context) as keyof Config]
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
    const description =
      error instanceof SyntaxError ? `is not JSON ${place}`.trim() : (error as Error).message
    return { settings: {}, invalid: [inFile(description)] }
  }
}

const numeric = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

/**
 * The file of the embedded log and the embedded topics, which share one. If the log was moved to a server, the topics
 * stay in their file, with their waiting messages. Undefined if both are on servers.
 */
export const embeddedFile = ({ eventStore, broker, home }: Config): string | undefined => {
  if (eventStore.startsWith('sqlite:')) return eventStore.slice('sqlite:'.length)
  return broker === 'embedded' ? join(home, 'fonds.db') : undefined
}

/** The file of the views, and whether they keep history: the same for all threads of a process. */
export const viewsOf = ({ home, pastDays }: Config) => ({
  file: join(home, 'views.db'),
  keepsHistory: pastDays !== 0,
})
