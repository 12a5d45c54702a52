import { isAbsolute } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { SettingValue } from '../../domain/kernel/archive-settings.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { nameOf } from '../../domain/kernel/setting.ts'
import type { SettingRules } from '../../ports/setting-rules.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { asGiven } from './config.ts'
import { type EffectiveSettings, isReference, readValue, shownValue } from './log-settings.ts'
import {
  type ArchiveKey,
  archiveKeys,
  archiveSetting,
  type Config,
  isArchiveKey,
  keyNamed,
  settings,
} from './settings.ts'

type Checked = ReturnType<SettingRules['check']>

interface Live {
  readonly config: Config
  effective(): EffectiveSettings
  needsStart(): readonly ArchiveKey[]
  isOfLog(key: ArchiveKey): boolean
}

export const settingRules = (live: Live): Omit<SettingRules, 'refresh'> => ({
  named: (name) => keyNamed(name) ?? name,
  namesPeople: (name) => {
    const key = keyNamed(name)
    return key !== undefined && settings[key].people === true
  },
  check: (name, value) => {
    const key = keyNamed(name)
    if (key === undefined)
      return reject('unknown-setting', `there is no setting ${name}; there are ${archiveKeys.join(', ')}`)
    if (!isArchiveKey(key))
      return reject(
        'node-setting',
        `${key} is a node's own, and not the archive's: it is set where the node is started (${nameOf(key)})`,
      )
    return checked(key, value)
  },
  list: () => {
    const { given } = live.effective()
    const waiting = live.needsStart()
    return archiveKeys.map((key) => {
      const { takesEffect, example } = archiveSetting(key)
      const here = live.config[key]
      return {
        setting: key,
        says: settings[key].description,
        here: here === undefined ? undefined : shownValue(key, here),
        from: given[key] ?? (live.isOfLog(key) ? 'log' : 'default'),
        takesEffect,
        needsStart: waiting.includes(key),
        example: String(example),
      }
    })
  },
  remarks: () => live.effective().remarks,
})

const checked = (key: ArchiveKey, value: SettingValue): Checked => {
  if (settings[key].secret)
    return isReference(value)
      ? right({ setting: key, value })
      : reject(
          'secret',
          `${key} is a secret, which stays outside of the log: give file:<path> or env:<name>, which each process reads it from`,
        )
  const read = readValue(key, value)
  if ('why' in read) return reject('wrong-value', read.why)
  if (archiveSetting(key).isPath === 'one' && !isPlace(String(value)))
    return reject(
      'wrong-value',
      `${key}: ${value} is relative to the folder that a process is started in; give an absolute path`,
    )
  return right({ setting: key, value: asGiven(key, value) as SettingValue })
}

/** The same wherever a process is started. */
const isPlace = (value: string): boolean => isBucketAddress(value) || isAbsolute(atHome(value))

const reject = (code: string, message: string): Either<Rejection, never> => left({ code, message })
