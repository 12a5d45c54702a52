import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'

export const registerConsume = (program: Command, context: CliContext): void => {
  const command = program
    .command('consume')
    .summary('read a topic: messages, work items, events that the relay copied')
    .description(
      'Records of a topic, in the order of each partition; with --follow also those to come, until Ctrl-C. It joins no ' +
        'consumer group and commits nothing: go on later with --from and, of each partition, the offset behind the last ' +
        'one seen.',
    )
    .argument('<topic>', '`fonds topics` lists them')
    .option('--from <place>', 'start, end, or <partition>:<offset>,… (default start)', 'start')
    .option('--limit <n>', 'most records', wholeNumber)
    .option('--follow', 'go on with what comes')
    .action(runningFrom(context, () => import('./consume/run.ts')))
  addExamples(command, [
    [
      'consume fonds.fixity.events --follow',
      'every event of fixity, as the relay copies it (start --roles relay)',
    ],
    ['consume fonds.research.work-items --from end --follow', 'work items for researchers, from now on'],
    [
      'consume fonds.fixity.content --from 0:120,1:98 | jq .value',
      'on from offsets; partitions not named from their start',
    ],
  ])
}
