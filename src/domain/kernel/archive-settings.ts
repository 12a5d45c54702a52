import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Text, Time } from './codecs.ts'
import type { Command, Decider } from './decider.ts'
import { streamName } from './event.ts'
import { type EventsOf, eventSet, eventSpec } from './event-set.ts'

/*
 * Stream: `settings-archive`. Settings of the archive, not of a machine: every process that opens the log has them.
 * The program that reads them knows their valid values: an older log may hold names that no longer exist.
 */

export const category = 'settings'
export const settingsStream = streamName(category, 'archive')

/** Secrets stay outside the log: their value is a reference, `file:<path>` or `env:<name>`. */
export const SettingValue = t.union([t.string, t.number])
export type SettingValue = t.TypeOf<typeof SettingValue>

const By = { actor: Text, reason: Text, at: Time }

export const settingsEvents = eventSet(
  eventSpec(
    'SettingChanged',
    'A person gave a setting of the archive a value.',
    t.type({ setting: Text, value: SettingValue, ...By }),
  ),
  eventSpec(
    'SettingUnset',
    'A person took a setting of the archive away: its default holds again.',
    t.type({ setting: Text, ...By }),
  ),
)

export type SettingsEvent = EventsOf<typeof settingsEvents>

/** A value, and who gave it. */
export interface GivenSetting {
  readonly value: SettingValue
  readonly actor: string
  readonly reason: string
  readonly at: string
}

/** By setting name. */
export type ArchiveSettings = Readonly<Record<string, GivenSetting>>

export type SettingsCommand = Command & { readonly reason: string } & (
    | { readonly type: 'Set'; readonly setting: string; readonly value: SettingValue }
    | { readonly type: 'Unset'; readonly setting: string }
  )

type SettingsRejection = { readonly code: 'not-set'; readonly message: string }

export const archiveSettings: Decider<ArchiveSettings, SettingsCommand, SettingsEvent, SettingsRejection> = {
  category,
  events: settingsEvents,
  initial: {},
  evolve: (settings, { type, data }) => {
    const { [data.setting]: _, ...others } = settings
    if (type === 'SettingUnset') return others
    const { setting, ...given } = data
    return { ...others, [setting]: given }
  },
  decide: (command, settings) => {
    const { setting, actor, reason, at } = command
    const known = Object.hasOwn(settings, setting) ? settings[setting] : undefined
    const by = { actor, reason, at }
    if (command.type === 'Set') {
      const { value } = command
      return E.right(
        known?.value === value ? [] : [{ type: 'SettingChanged', data: { setting, value, ...by } }],
      )
    }
    return known
      ? E.right([{ type: 'SettingUnset', data: { setting, ...by } }])
      : E.left({
          code: 'not-set',
          message: `${setting} is not set in the log: \`fonds settings list\` shows what is`,
        })
  },
}
