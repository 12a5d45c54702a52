import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const registerDoctor = (program: Command, context: CliContext): void => {
  const command = program
    .command('doctor')
    .summary('look whether everything is well, and say what to do')
    .description(
      'Looks at the machine, the settings, the files and the work that waits; changes nothing in them.',
    )
    .option('--deep', 'look through databases of any size')
    .action(runningFrom(context, () => import('./doctor/run.ts')))
  addExamples(command, [
    ['doctor', 'a line each, with what to do'],
    ['doctor | jq -r \'select(.status != "ok") | .says\'', 'for monitoring: exit code 1 when anything fails'],
  ])
}
