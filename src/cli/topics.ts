import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const registerTopics = (program: Command, context: CliContext): void => {
  const command = program
    .command('topics')
    .summary('show the topics, who reads them, and what waits')
    .description(
      'The topics with their records, the groups that read them, and how many records each has yet to handle. ' +
        'Topics of events are made by `fonds start --roles relay`.',
    )
    .option('--by-partition', 'a line for each partition of each group')
    .action(runningFrom(context, () => import('./topics/run.ts')))
  addExamples(command, [
    ['topics', 'what is on the topics, and what waits'],
    ['topics --by-partition', 'the same by partition, with offsets and members'],
  ])
}
