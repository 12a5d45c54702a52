import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

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
    .option(
      '--no-people',
      'leave names, mail addresses and personal values out: the log has references alone',
    )
    .action(runningFrom(context, () => import('./backup/run.ts')))
  addExamples(command, [
    ['backup /backup/2026-01-31', 'copies the home, and proves the copy'],
    [
      'backup --verify /backup/2026-01-31',
      'says whether it is still what it was; ends with 1 where it is not',
    ],
    ['backup --no-storage /backup/log', 'the log without the objects'],
  ])
}
