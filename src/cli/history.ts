import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { asOfOption } from './point.ts'

export const registerHistory = (program: Command, context: CliContext): void => {
  const command = program
    .command('history')
    .summary('show everything that ever happened to one thing')
    .description(
      'Every event of one thing, across all workflows: when, what happened, who did it, where it stands.',
    )
    .argument('<id>', 'what the thing is called: <store>/<path> for an item, <store> for a store')
    .option(...asOfOption)
    .action(runningFrom(context, () => import('./history/run.ts')))
  addExamples(command, [
    ['history main/letters/1912/03.tif', 'the life of one file'],
    ['history main', 'what happened to the store main'],
    ['history main/letters/1912/03.tif --as-of 2026-01-31T12:00:00Z | jq .type', 'what was known that noon'],
  ])
}
