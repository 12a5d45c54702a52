import type { Command } from 'commander'
import { type CliContext, runningFrom } from '../context.ts'
import { addExamples } from '../examples.ts'

export const registerRun = (indexing: Command, context: CliContext): void => {
  const run = indexing
    .command('run')
    .summary('index now what is due')
    .description(
      'Works on the queue in this process, beside other workers, until nothing in it is due. Exit code 1 when a file ' +
        'that was due could not be indexed.',
    )
    .action(runningFrom(context, () => import('./index-due.ts')))
  addExamples(run, [['indexing run', 'until nothing is due']])
}
