import type { Either } from 'fp-ts/lib/Either.js'
import type { SettingValue } from '../domain/kernel/archive-settings.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'

/** A setting of the archive, as this process has it. */
export interface HouseSetting {
  readonly setting: string
  readonly says: string
  /** Undefined where it is not set. Secrets are not shown. */
  readonly here: string | undefined
  readonly from: 'flag' | 'environment' | 'config file' | 'log' | 'default'
  readonly takesEffect: 'at once' | 'start'
  /** It was changed in the log, and this process takes it up at its next start. */
  readonly needsStart: boolean
  readonly example: string
}

/** What the settings of the log may be, and what they are here. */
export interface SettingRules {
  /** The setting and its value as they are kept. `name`: as a flag, a variable or a config file has it. */
  check(
    name: string,
    value: SettingValue,
  ): Either<Rejection, { readonly setting: string; readonly value: SettingValue }>
  /** The name that it is kept under; what is no setting stays as it is. */
  named(name: string): string
  /** The archive's, in their order. */
  list(): readonly HouseSetting[]
  /** Sentences for a person: what overrides the log here, and what of it is not used. */
  told(): readonly string[]
}
