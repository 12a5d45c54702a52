import { existsSync } from 'node:fs'
import { duration } from '../../domain/kernel/amounts.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import { type Finding, ok, warn } from '../../workflows/finding.ts'
import { lastBackup, unendedBackups } from '../backup/notes.ts'
import { aboutIn } from '../backup/verify.ts'
import { viewsOf } from '../config/config.ts'
import type { Config } from '../config/settings.ts'

/** Returns a warning if the home is a backup of another one, and nothing has opened it: to open it would change it. */
export const unopenedBackup = async (config: Config): Promise<Finding | undefined> => {
  const about = await aboutIn(config.home)
  return about === undefined || about.settings.home === config.home || existsSync(viewsOf(config).file)
    ? undefined
    : warn(
        'backup',
        `${config.home} is a backup as it was made: more than its pages cannot be read without a change to it`,
        '`fonds backup --verify` proves it; to put it back, copy it over an empty home and start that',
      )
}

/** When the last backup was made, and what one left behind that was killed. */
export const backups = async ({ home }: Pick<Config, 'home'>, now: string): Promise<readonly Finding[]> => {
  const last = await lastBackup(home)
  const unended = await unendedBackups(home)
  return [
    last
      ? ok(
          'backup',
          `the last one known was begun ${duration(millisBetween(last.at, now))} ago: ${last.folder}`,
        )
      : warn(
          'backup',
          'none by `fonds backup` is known',
          '`fonds backup <folder>`; nothing to do if the home is copied by other means',
        ),
    ...unended.map(({ at, partial, isAbandoned }) =>
      isAbandoned
        ? warn(
            'backup',
            `the backup of ${at} was killed, and left ${partial}`,
            'the next `fonds backup` removes it; so may you',
          )
        : ok('backup', `one is under way since ${at}`),
    ),
  ]
}
