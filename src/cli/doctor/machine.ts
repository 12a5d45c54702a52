import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import { embeddedFile, viewsOf } from '../../app/config/config.ts'
import { type Config, settings } from '../../app/config/settings.ts'
import { withoutLogin } from '../../domain/kernel/server-address.ts'
import { dashed, variableOf } from '../../domain/kernel/setting.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { bytes, plural } from '../output/text.ts'
import { unknownVariables } from '../unknown-variables.ts'
import { fileModes } from './file-modes.ts'

/* Checks of the machine and its files, before the system is opened. */

export const nodeVersion = (): Finding => {
  const wanted = Number(/\d+/.exec(manifest.engines.node)?.[0])
  const found = process.versions.node
  return Number.parseInt(found, 10) >= wanted
    ? ok('node', found)
    : fail('node', `${found} is too old`, `install Node ${wanted} or newer`)
}

/** The settings that differ from the default, and where each comes from. */
export const configSources = (
  config: Config,
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): Finding => {
  const path = flags.config ?? env.FONDS_CONFIG
  const file = typeof path === 'string' && path ? settingsIn(path) : {}
  const given = Object.entries(settings).flatMap(([name, { secret }]) => {
    const variable = variableOf(name)
    const source =
      flags[name] !== undefined
        ? `--${dashed(name)}`
        : env[variable]
          ? variable
          : file[name] !== undefined
            ? String(path)
            : undefined
    const value = secret ? '(hidden)' : withoutLogin(String(config[name as keyof Config]))
    return source === undefined ? [] : [`${name} ${value} (${source})`]
  })
  return ok('settings', given.length > 0 ? given.join(', ') : 'all are the defaults')
}

/** `FONDS_…` variables that are no settings. */
export const variables = (env: NodeJS.ProcessEnv): readonly Finding[] =>
  unknownVariables(env).map((sentence) => warn('settings', sentence, 'mend its name, or unset it'))

const settingsIn = (path: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(atHome(path), 'utf8')) as Readonly<Record<string, unknown>>

/** The files of the embedded log and topics, and of the views. */
export const databaseFiles = (config: Config): readonly string[] =>
  [embeddedFile(config), viewsOf(config).file].filter((file) => file !== undefined)

export const permissions = (config: Config): Finding => {
  const paths = [config.home, ...databaseFiles(config)]
  for (const path of paths)
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch {
      return fail('files', `${path} cannot be read and written`, 'change its owner or its permissions')
    }
  return fileModes(config, databaseFiles(config))
}

/** To check every page of a large file takes minutes. */
const maxCheckedBytes = 1024 ** 3

/** Whether the log's file is so large that it is checked on request alone. */
export const isLargeLog = (config: Config): boolean =>
  config.eventStore.startsWith('sqlite:') && statSync(embeddedFile(config)!).size > maxCheckedBytes

/** SQLite's `quick_check`, on a read-only connection of its own: no port offers it. */
export const integrity = (
  config: Config,
  deep: boolean,
  files: readonly string[] = databaseFiles(config),
): readonly Finding[] =>
  files.map((file): Finding => {
    const check = 'integrity'
    try {
      const { size } = statSync(file)
      if (size > maxCheckedBytes && !deep)
        return warn(
          check,
          `${file} was not checked (${bytes(size)})`,
          '`fonds doctor --deep` does, and takes a while',
        )
      const db = openToRead(file)
      try {
        const found = quickCheck(db)
        return found.length === 1 && found[0] === 'ok'
          ? ok(check, `${file} is sound (${bytes(size)})`)
          : fail(check, `${file}: ${plural(found.length, 'fault')}, such as ${found[0]}`, cure(file))
      } finally {
        db.close()
      }
    } catch (error) {
      const sentence = `${file}: ${(error as Error).message}`
      return isDamage(error)
        ? fail(check, sentence, cure(file))
        : fail(check, `it could not be checked: ${sentence}`, 'see the disk and the permissions above')
    }
  })

const quickCheck = (db: DatabaseSync): readonly string[] =>
  db
    .prepare('PRAGMA quick_check(10)')
    .all()
    .map((row) => String(Object.values(row)[0]))

/**
 * A reader needs a file beside the database, for which a full disk has no room. It needs none while nobody writes.
 */
const openToRead = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    db.prepare('SELECT 1 FROM sqlite_schema').get()
    return db
  } catch (error) {
    db.close()
    const waiting = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (isDamage(error) || waiting > 0) throw error
    return new DatabaseSync(new URL(`${pathToFileURL(file)}?immutable=1`), { readOnly: true })
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

const isDamage = (error: unknown): boolean =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(((error as { readonly errcode?: number }).errcode ?? 0) & 0xff)

const cure = (file: string): string =>
  file.endsWith('views.db')
    ? 'stop Fonds and delete the file: the views are rebuilt from the log'
    : 'stop Fonds, and put a backup of the file in its place'
