import * as t from 'io-ts'
import {
  type ArchiveKeyOf,
  type ArchiveSetting,
  dashed,
  type Setting,
  variableOf,
} from '../../domain/kernel/setting.ts'
import { allSettings, type Config } from '../../workflows/settings.ts'

export type { Config }

export const roles = [
  'processors',
  'reactions',
  'projections',
  'workers',
  'sealer',
  'relay',
  'api',
  'gateway',
  'witness',
] as const
export type Role = (typeof roles)[number]

/** Roles for other systems, which have to be requested. */
const forOthers: readonly Role[] = ['relay', 'gateway', 'witness']

/** Roles of a single machine. */
export const defaultRoles: readonly Role[] = roles.filter((role) => !forOthers.includes(role))

const edges = ['api', 'gateway', 'witness'] as const
/** A role that only answers others. */
export type Edge = (typeof edges)[number]

/** The roles that do work of their own. */
export const withoutEdges = (some: readonly Role[]): readonly Exclude<Role, Edge>[] =>
  some.filter((role): role is Exclude<Role, Edge> => !(edges as readonly Role[]).includes(role))

export const settings: Readonly<Record<keyof Config, Setting>> = allSettings

export const isSetting = (name: string): name is keyof Config => Object.hasOwn(settings, name)

/** Finds the setting that a person means: `ingestStorage`, `ingest-storage`, `--ingest-storage`, `FONDS_INGEST_STORAGE`. */
export const keyNamed = (name: string): keyof Config | undefined =>
  Object.keys(settings)
    .filter(isSetting)
    .find((key) => key === name || dashed(key) === name.replace(/^--/, '') || variableOf(key) === name)

/**
 * A setting of the archive. All others are a node's: where it listens, its roles and threads, its log and broker, its
 * home.
 */
export type ArchiveKey = ArchiveKeyOf<typeof allSettings>

export const isArchiveKey = (name: string): name is ArchiveKey =>
  isSetting(name) && settings[name].archive !== undefined

export const archiveKeys: readonly ArchiveKey[] = Object.keys(settings).filter(isArchiveKey)

export const archiveSetting = (key: ArchiveKey): ArchiveSetting => allSettings[key].archive

const codecs = (isOptional: boolean) =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, setting]) =>
      'default' in setting === isOptional ? [] : [[key, setting.codec]],
    ),
  )

export const Settings = t.intersection([t.type(codecs(false)), t.partial(codecs(true))]) as t.Mixed as t.Type<
  Config,
  Config,
  unknown
>

/** Returns the defaults. */
export const defaultConfig = (home: string): Config =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, setting]) =>
      'default' in setting
        ? [[key, typeof setting.default === 'function' ? setting.default(home) : setting.default]]
        : [],
    ),
  ) as Config
