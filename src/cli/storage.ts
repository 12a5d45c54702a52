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
}
