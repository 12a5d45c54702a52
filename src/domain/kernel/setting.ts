import * as t from 'io-ts'

/**
 * A setting, declared once by the code that uses it: flag, variable, config file, help and the settings of the log
 * follow from that.
 */
export interface Setting {
  readonly codec: t.Mixed
  /** Its description for the help. */
  readonly description: string
  /** Its default; a function takes the home. Absent: the setting may be missing. */
  readonly default?: unknown
  /** Its value is not shown. */
  readonly secret?: true
  /** It names people: by mail address where a process is started, by reference in the log. */
  readonly people?: true
  /** An address that may hold a name and a password, which are not shown. */
  readonly login?: true
  /** Placeholder of the value in the help: `folder`; absent: `text`, or `n` for a number. */
  readonly value?: string
  /** It belongs to the archive, not to a node: it may be set in the log, and all processes at work have the same. */
  readonly archive?: ArchiveSetting
}

export interface ArchiveSetting {
  /** `at once`: running nodes apply a change. `start`: they apply it at their next start. */
  readonly takesEffect: 'at once' | 'start'
  readonly example: string | number
  /** It names one folder, or some paths. Processes of one home compare it: others may see one volume at another path. */
  readonly isPath?: 'one' | 'some'
}

export const atOnce = (example: string | number): ArchiveSetting => ({ takesEffect: 'at once', example })
export const atStart = (example: string | number): ArchiveSetting => ({ takesEffect: 'start', example })
export const oneFolder = (example: string): ArchiveSetting => ({ ...atStart(example), isPath: 'one' })
export const somePaths = (example: string): ArchiveSetting => ({ ...atStart(example), isPath: 'some' })

export type Settings = Readonly<Record<string, Setting>>

/** Decoded settings: those without a default may be missing. */
export type ConfigOf<S extends Settings> = {
  [K in keyof S as S[K] extends { default: unknown } ? K : never]: t.TypeOf<S[K]['codec']>
} & {
  [K in keyof S as S[K] extends { default: unknown } ? never : K]?: t.TypeOf<S[K]['codec']>
}

/** Names of the archive's settings. */
export type ArchiveKeyOf<S extends Settings> = Extract<
  { [K in keyof S]: S[K] extends { archive: ArchiveSetting } ? K : never }[keyof S],
  string
>

/** Values by setting name, before they are decoded. */
export type GivenValues = Readonly<Record<string, unknown>>

/** True if its text is read as a number. */
export const isNumber = ({ codec }: Setting): boolean => {
  let base: t.Mixed = codec
  while (base instanceof t.RefinementType) base = base.type
  return base instanceof t.NumberType
}

export const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Its environment variable: `FONDS_KAFKA_TLS`. */
export const variableOf = (key: string): string => `FONDS_${dashed(key).replaceAll('-', '_').toUpperCase()}`

/** How a setting is given: `--kafka-tls, FONDS_KAFKA_TLS`. */
export const nameOf = (key: string): string => `--${dashed(key)}, ${variableOf(key)}`

/** Appends how a setting is given to a sentence that begins with its name. */
export const withName = (line: string): string => `${line} (${nameOf(line.slice(0, line.indexOf(':')))})`

/** Checks settings that are given all together or not at all. Returns a sentence for each missing one. */
export const together = (given: GivenValues, keys: readonly string[]): readonly string[] => {
  const missing = keys.filter((key) => given[key] === undefined)
  return missing.length === 0 || missing.length === keys.length
    ? []
    : missing.map((key) =>
        withName(`${key}: is missing beside ${keys.filter((one) => one !== key).join(' and ')}`),
      )
}
