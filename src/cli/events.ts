import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { collect, position, wholeNumber } from './numbers.ts'

export const registerEvents = (program: Command, context: CliContext): void => {
  const command = program
    .command('events')
    .summary('show the log: what happened, in order')
    .description(
      'Events of the log, the oldest first; with --follow also those to come, until Ctrl-C. Events that only tell which ' +
        'process has a duty are left out unless asked for: --category duty.',
    )
    .option('--stream <name>', 'of this stream alone')
    .option('--category <name>', 'of streams of this category alone; may be repeated', collect)
    .option('--type <name>', 'of this type alone; may be repeated', collect)
    .option('--from <position>', 'first position to look at', position)
    .option('--limit <n>', 'most events', wholeNumber)
    .option('--follow', 'go on with what comes')
    .action(runningFrom(context, () => import('./events/run.ts')))
  addExamples(command, [
    ['events --type FixityDecided --follow', 'every verdict, as it comes'],
    ['events --stream fixityStore-main', 'what happened to the store main'],
    ['events --from 1042 --limit 10 | jq .data', 'ten events from a position on, their data alone'],
  ])
}
