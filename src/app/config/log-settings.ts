import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidSetting } from '../../async/errors.ts'
import type { ArchiveSettings, SettingValue } from '../../domain/kernel/archive-settings.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { archiveContradictions } from '../../workflows/settings.ts'
import { asGiven, type GivenSettings, wrongSetting } from './config.ts'
import {
  type ArchiveKey,
  archiveKeys,
  archiveSetting,
  type Config,
  defaultConfig,
  isArchiveKey,
  settings,
} from './settings.ts'

/** The effective settings of a process, and their sources. */
export interface EffectiveSettings {
  /** As the process was started, without the log. */
  readonly started: Config
  readonly given: GivenSettings
  readonly log: ArchiveSettings
  readonly config: Config
  /** Names of settings whose value is the log's. */
  readonly used: readonly ArchiveKey[]
  /** Sentences for a person: what overrides the log, and what of the log is not used, and why. */
  readonly remarks: readonly string[]
}

/** Returns the settings that differ from their defaults, as flags, for callers that do not know the sources. */
export const givenIn = (config: Config): GivenSettings => {
  const usual: Readonly<Record<string, unknown>> = defaultConfig(config.home)
  const given = Object.entries(config).filter(([key, value]) => value !== usual[key])
  return Object.fromEntries(given.map(([key]) => [key, 'flag']))
}

/**
 * Puts the settings of the log below flags, environment and config file. Those that cannot be used are left out and
 * reported, so that none of them keeps a process from starting. Throws `InvalidSetting` if what the process was given
 * contradicts itself.
 */
export const withLog = (started: Config, given: GivenSettings, log: ArchiveSettings): EffectiveSettings => {
  const remarks: string[] = []
  const taken: Partial<Record<ArchiveKey, unknown>> = {}
  for (const [key, { value }] of Object.entries(log)) {
    if (!isArchiveKey(key)) {
      remarks.push(`${key} of the log is no setting of this Fonds, and has no effect here`)
      continue
    }
    const where = given[key]
    const read = readValue(key, value)
    if ('why' in read) remarks.push(`${key} of the log is not used here: ${read.why}`)
    else if (where === undefined) taken[key] = read.value
    else if (read.value !== started[key])
      remarks.push(
        `${key}: the ${where} says ${shownValue(key, started[key])} and overrides the log, which says ${shownValue(key, value)}`,
      )
  }
  const kept = withoutHalves(started, taken, remarks)
  const contradictions = archiveContradictions({ ...started, ...kept })
  if (contradictions.length > 0) throw new InvalidSetting(contradictions.join('; '))
  return {
    started,
    given,
    log,
    config: { ...started, ...kept } as Config,
    used: Object.keys(kept).filter(isArchiveKey),
    remarks,
  }
}

/** Leaves out settings that need another one that is missing, with all of their family. */
const withoutHalves = (
  started: Config,
  taken: Partial<Record<ArchiveKey, unknown>>,
  remarks: string[],
): Partial<Record<ArchiveKey, unknown>> => {
  let kept = taken
  for (;;) {
    const [first] = archiveContradictions({ ...started, ...kept })
    const family = families.find((name) => first?.startsWith(name))
    const halves = archiveKeys.filter((key) => family && key.startsWith(family) && key in kept)
    if (first === undefined || halves.length === 0) return kept
    remarks.push(
      `of the log ${halves.join(', ')} ${halves.length > 1 ? 'are' : 'is'} not used here: ${first}`,
    )
    kept = Object.fromEntries(Object.entries(kept).filter(([key]) => !halves.includes(key as ArchiveKey)))
  }
}

const families = ['mail', 'notices', 'reports', 'ezid'] as const

type Read = { readonly value: unknown } | { readonly why: string }

/** Decodes a value of the log for the configuration. A secret is read from where its reference points. */
export const readValue = (key: ArchiveKey, value: SettingValue): Read => {
  const { secret, codec } = settings[key]
  const fetched = secret ? fetchSecret(String(value)) : { value: asGiven(key, value) }
  if ('why' in fetched) return fetched
  const decoded = codec.validate(fetched.value, [{ key, type: codec, actual: fetched.value }])
  return decoded._tag === 'Right'
    ? { value: decoded.right }
    : { why: decoded.left.map(wrongSetting).join('; ') }
}

export const isReference = (value: SettingValue): boolean =>
  /^(file:.+|env:[A-Za-z_]\w*)$/.test(String(value))

const fetchSecret = (reference: string): Read => {
  const place = reference.slice(reference.indexOf(':') + 1)
  if (!isReference(reference))
    return { why: 'a secret stays outside of the log, which holds file:<path> or env:<name>' }
  if (reference.startsWith('env:')) {
    const value = process.env[place]
    return value ? { value } : { why: `the variable ${place} is not set` }
  }
  try {
    return { value: readFileSync(atHome(place), 'utf8').trim() }
  } catch (error) {
    return { why: `${place} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
}

/** Formats a value for people, and for comparison: a secret is never shown, and neither is the login of an address. */
export const shownValue = (key: ArchiveKey, value: unknown): string => {
  if (value === undefined) return 'not set'
  const { secret, login } = settings[key]
  if (secret) return isReference(value as SettingValue) ? String(value) : '(not shown)'
  return login ? String(value).replace(/\/\/[^/@]*@/, '//') : String(value)
}

/** Returns a process's settings as others see them: paths are absolute, and of a secret only whether it is set. */
export const effectiveOf = (config: Config): Readonly<Record<string, string>> =>
  Object.fromEntries(
    archiveKeys.flatMap((key) => {
      const value = config[key]
      if (value === undefined) return []
      if (settings[key].secret) return [[key, 'set']]
      const { isPath } = archiveSetting(key)
      const isOnePath = isPath && typeof value === 'string' && !/[,=]/.test(value)
      return [[key, isOnePath ? resolve(atHome(value)) : shownValue(key, value)]]
    }),
  )
