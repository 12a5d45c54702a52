import { type Command, Option } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { collect, wholeNumber } from './numbers.ts'
import { formats } from './output/formats.ts'
import { asOfOption } from './point.ts'

export const registerQuery = (program: Command, context: CliContext): void => {
  const command = program
    .command('query')
    .summary('ask a view, as it is now or as it was')
    .description(
      'Rows of a view. Everything written so far is folded in first. Without a view it lists them with their columns.',
    )
    .argument('[view]')
    .option(
      '--where <condition>',
      'column=value, with = != < <= > >= or ^= (starts with); null is no value',
      collect,
    )
    .option('--order <columns>', 'column, or -column for the greatest first; several with commas', collect)
    .option('--limit <n>', 'most rows', wholeNumber)
    .option('--offset <n>', 'rows to pass over', wholeNumber)
    .option(...asOfOption)
    .option('--columns <names>', 'only these, with commas between')
    .addOption(new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats]))
    .action(runningFrom(context, () => import('./query/run.ts')))
  addExamples(command, [
    ['query', 'lists the views'],
    ['query fixity-items --where state=failed --columns store,path,because', 'what failed, and why'],
    ['query fixity-items --where path^=letters/ --order -size --limit 10', 'the ten largest letters'],
    ['query fixity-items --as-of 2026-01-31T12:00:00Z --format csv > then.csv', 'as it was that noon'],
  ])
}
