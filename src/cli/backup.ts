import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { makeBackup } from '../app/backup/make-backup.ts'
import { type AboutBackup, verifyBackup } from '../app/backup/verify.ts'
import { keepPrivate } from '../app/config/file-modes.ts'
import { errorMessage } from '../async/errors.ts'
import { systemClock } from '../async/system-clock.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { type CliFailure, refused } from './output/exit-codes.ts'
import { writeRows } from './output/format.ts'
import type { Progress } from './output/progress.ts'
import { bytes, plural } from './output/text.ts'

interface BackupOptions {
  readonly verify?: boolean
  readonly storage: boolean
}

export const registerBackup = (program: Command, context: CliContext): void => {
  const command = program
    .command('backup')
    .summary('copy what of a home cannot be made again, while Fonds runs')
    .description(
      'Copies the log with its topics, the objects of ingest, uploads that wait and the index of captures into a new folder, ' +
        'with a checksum of each file, reads all of it again, and gives the folder its name when all is well. It is put back ' +
        'by copying: stop Fonds, copy the folder over an empty home, start it. What is on servers it names, and leaves out.',
    )
    .argument('<folder>', 'a new one; with --verify one that was made before')
    .option('--verify', 'compare a backup with its checksums')
    .option(
      '--no-storage',
      'leave the objects of ingest out: they are copied by other means, behind the backup',
    )
    .action(
      running(context, (session, folder: string, options: BackupOptions) =>
        options.verify ? verify(session, folder) : backUp(session, folder, options),
      ),
    )
  addExamples(command, [
    ['backup /backup/2026-01-31', 'copies the home, and proves the copy'],
    [
      'backup --verify /backup/2026-01-31',
      'says whether it is still what it was; ends with 1 where it is not',
    ],
    ['backup --no-storage /backup/log', 'the log without the objects'],
  ])
}

const labels = {
  log: 'Copying the log',
  index: 'Copying the index',
  drop: 'Copying uploads',
  clips: 'Copying clips',
  storage: 'Copying objects',
  checksums: 'Adding checksums',
  verify: 'Reading it again',
} as const

const backUp = async (
  session: Session,
  folder: string,
  { storage }: BackupOptions,
): Promise<CliFailure | undefined> => {
  const { config, signal, output } = session
  keepPrivate(config.homeMode)
  let progress: Progress | undefined
  try {
    const made = await makeBackup(folder, {
      config,
      now: systemClock.now(),
      withStorage: storage,
      signal,
      onBytes: (copied) => progress?.advance(copied),
      onRemoved: ({ at, partial }) =>
        session.say(`removed what the backup of ${at} left behind, which was killed: ${partial}`),
      onNotNoted: (error) =>
        session.say(
          `${config.home} takes no note of this backup, so monitoring does not know of it: ${errorMessage(error)}`,
        ),
      onPart: (part, total) => {
        progress?.done()
        progress = session.progress(labels[part], { unit: 'bytes', ...(total !== undefined && { total }) })
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

/** Faults that are told on a terminal; a pipe gets all. */
const maxTold = 20

const verify = async (session: Session, folder: string): Promise<CliFailure | undefined> => {
  const { signal, output } = session
  const progress = session.progress(labels.verify, { unit: 'bytes' })
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
  const told = faults.slice(0, maxTold).map((fault) => `\n  ${fault}`)
  const more = faults.length > maxTold ? `\n  … and ${plural(faults.length - maxTold, 'more fault')}` : ''
  return refused(
    `${folder} is not what it was when it was made:${told.join('')}${more}`,
    'use another backup; this one holds what its other files say at most',
  )
}
