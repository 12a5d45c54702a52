import { isLeft } from 'fp-ts/lib/Either.js'
import { makeBackup, verifying } from '../../app/backup/make-backup.ts'
import { type AboutBackup, verifyBackup } from '../../app/backup/verify.ts'
import { keepPrivate } from '../../app/config/file-modes.ts'
import { errorMessage } from '../../async/errors.ts'
import { systemClock } from '../../async/system-clock.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import type { Progress } from '../output/progress.ts'
import { bytes, plural } from '../output/text.ts'

interface BackupOptions {
  readonly verify?: boolean
  readonly storage: boolean
  readonly people: boolean
}

export const run = (
  session: Session,
  folder: string,
  options: BackupOptions,
): Promise<CliFailure | undefined> =>
  options.verify ? verify(session, folder) : backUp(session, folder, options)

const backUp = async (
  session: Session,
  folder: string,
  { storage, people }: BackupOptions,
): Promise<CliFailure | undefined> => {
  const { config, signal, output } = session
  keepPrivate(config.homeMode)
  const { workflows } = await import('../../workflows/all.ts')
  let progress: Progress | undefined
  try {
    const made = await makeBackup(folder, {
      config,
      now: systemClock.now(),
      workflows,
      without: [...(storage ? [] : ['storage']), ...(people ? [] : ['personal.db', 'personal'])],
      signal,
      onBytes: (copied) => progress?.advance(copied),
      onRemoved: ({ at, partial }) =>
        session.say(`removed what the backup of ${at} left behind, which was killed: ${partial}`),
      onNotNoted: (error) =>
        session.say(
          `${config.home} cannot record this backup, so monitoring does not know of it: ${errorMessage(error)}`,
        ),
      onPart: (label, total) => {
        progress?.done()
        progress = session.progress(label, { unit: 'bytes', ...(total !== undefined && { total }) })
      },
    })
    progress?.done()
    progress = undefined
    if (isLeft(made)) return refused(made.left)
    const about = made.right
    await writeRows(output, [[{ folder, ...summary(about) }]], { columns })
    for (const sentence of about.elsewhere) session.say(`not in it: ${sentence}`)
    return undefined
  } finally {
    progress?.done()
  }
}

const columns = ['folder', 'at', 'files', 'size', 'position'].map((key) => ({ key }))

const summary = ({ at, files, bytes: size, log, position, elsewhere }: AboutBackup) => ({
  at,
  files,
  bytes: size,
  size: bytes(size),
  log: log ?? null,
  position: position ?? null,
  elsewhere,
})

/** Most faults that are listed on a terminal; a pipe gets all. */
const maxListed = 20

const verify = async (session: Session, folder: string): Promise<CliFailure | undefined> => {
  const { signal, output } = session
  const progress = session.progress(verifying, { unit: 'bytes' })
  const { about, faults } = await verifyBackup(folder, {
    signal,
    onTotal: progress.total,
    onBytes: progress.advance,
  }).finally(progress.done)
  if (!output.isTTY)
    await writeRows(output, [[{ folder, ok: faults.length === 0, faults, ...(about && summary(about)) }]])
  else if (faults.length === 0 && about)
    await writeRows(output, [[{ folder, ...summary(about) }]], { columns })
  if (faults.length === 0) return undefined
  const listed = faults.slice(0, maxListed).map((fault) => `\n  ${fault}`)
  const more = faults.length > maxListed ? `\n  … and ${plural(faults.length - maxListed, 'more fault')}` : ''
  return refused(
    `${folder} has changed since it was made:${listed.join('')}${more}`,
    'use another backup; this one holds what its other files say at most',
  )
}
