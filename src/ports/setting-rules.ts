import type { Either } from 'fp-ts/lib/Either.js'
import type { SettingValue } from '../domain/kernel/archive-settings.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'

/** A setting of the archive, with its value in this process. */
export interface SystemSetting {
  readonly setting: string
  readonly says: string
  /** Undefined where it is not set. Secrets are not shown. */
  readonly here: string | undefined
  readonly from: 'flag' | 'environment' | 'config file' | 'log' | 'default'
  readonly takesEffect: 'at once' | 'start'
  /** It changed in the log, and this process applies it at its next start. */
  readonly needsStart: boolean
  readonly example: string
}

/** Rules for the settings of the log, and their values in this process. */
export interface SettingRules {
  /** Validates a setting, and returns it as it is stored. `name`: as a flag, a variable or a config file has it. */
  check(
    name: string,
    value: SettingValue,
  ): Either<Rejection, { readonly setting: string; readonly value: SettingValue }>
  /** True if its value names people, by mail address or by reference. */
  namesPeople(name: string): boolean
  /** The name that it is stored under; a name that is no setting is returned unchanged. */
  named(name: string): string
  /** Reads the log, so that `list` shows what it says now. Returns true if anything has changed. Throws `UnavailableError`. */
  refresh(): Promise<boolean>
  /** Settings of the archive, in their order. */
  list(): readonly SystemSetting[]
  /** Sentences for a person: what overrides the log here, and which of its settings are not used. */
  remarks(): readonly string[]
}
