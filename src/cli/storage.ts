import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const registerStorage = (program: Command, context: CliContext): void => {
  const command = program
    .command('storage')
    .summary('prepare object storage for Fonds')
    .description('Helps to give Fonds the rights that it needs in a bucket, and no others.')
  addExamples(command, [['storage policy s3://archive/masters', 'the rights to check what is kept there']])

  const policy = command
    .command('policy')
    .description(
      'Prints the least policy of AWS (IAM) for a bucket, or what lies below a prefix in it. Asks no server.',
    )
    .argument('<s3://bucket/prefix>')
    .option('--write', 'with the rights to store and delete, which ingest needs')
    .option('--restore', 'with the right to have archived objects restored')
    .action(runningFrom(context, () => import('./storage/run-policy.ts')))
  addExamples(policy, [
    ['storage policy s3://archive/masters > policy.json', 'to check what is kept there'],
    ['storage policy s3://archive/ocfl --write', 'to store there'],
  ])

  const probe = command
    .command('probe')
    .summary('try writing to a bucket')
    .description(
      'Writes a small object below the prefix (extensions/fonds-probe/…), lists and reads it, asks for two writes that the server must refuse, begins an upload ' +
        'in parts and gives it up, then deletes all of it, versions included. Tells what the bucket lets Fonds do, and what FONDS_INGEST_STORAGE needs of it. ' +
        'Where Object Lock, or a policy, forbids to delete, the object stays, and is named. `fonds doctor` only reads. ' +
        'Exit code 1 when ingest could not store there, or something was left.',
    )
    .argument('<s3://bucket/prefix>')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--actor <name>', 'who wants it')
    .action(runningFrom(context, () => import('./storage/run-probe.ts')))
  addExamples(probe, [
    ['storage probe s3://archive/ocfl --actor ada --reason "a new server"', 'whether ingest can store there'],
  ])
}
