import { type Command, Option } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'
import { formats } from './output/formats.ts'

export const registerDiff = (program: Command, context: CliContext): void => {
  const command = program
    .command('diff')
    .summary('what came, went and changed in a view between two moments')
    .description(
      'Rows of a view that are not the same at two moments, and the events that wrote them in between. `fonds query` lists the views.',
    )
    .argument('<view>')
    .requiredOption('--from <when>', 'the earlier moment: a time with a zone, or a position of the log')
    .option('--to <when>', 'the later moment; now unless said')
    .option('--limit <n>', 'most rows', wholeNumber)
    .addOption(new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats]))
    .action(runningFrom(context, () => import('./diff/run.ts')))
  addExamples(command, [
    ['diff fixity-items --from 2026-01-31T12:00:00Z', 'what has changed since that noon'],
    ['diff ingest-jobs --from 1042 --to 2042 --format csv > jobs.csv', 'between two positions of the log'],
  ])
}
