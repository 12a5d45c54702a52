import { lastBackup, unendedBackups } from '../../app/backup/notes.ts'
import type { Config } from '../../app/config/settings.ts'
import { millisBetween } from '../../domain/kernel/time.ts'
import { type Finding, ok, warn } from '../../workflows/finding.ts'
import { duration } from '../output/text.ts'

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
      : ok('backup', 'none by `fonds backup` is known: see that the home is copied by other means'),
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
