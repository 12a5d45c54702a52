import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'

export const registerWorker = (program: Command, context: CliContext): void => {
  const command = program
    .command('worker')
    .summary('run one worker on its own')
    .description(
      'Runs a worker until Ctrl-C or SIGTERM: it then takes no new work and finishes what it has; a second signal ' +
        'stops it at once, and its claims run out by themselves. It folds the views it takes its work from; what it ' +
        'reports is handled by whoever runs the processors (`fonds start`). Without a kind it lists them.',
    )
    .argument('[kind]')
    .option('--no-wait', 'end with 3 where the log or the broker is away, in place of waiting for it')
    .option('--grace <seconds>', 'longest wait for work under way when stopping', wholeNumber, 30)
    .action(runningFrom(context, async () => ({ run: (await import('./worker/run.ts')).workerIn(context) })))
  addExamples(command, [
    ['worker', 'lists the kinds of workers'],
    ['worker fixity --hands 4 --bytes-per-second 50000000', 'checks content, gently'],
    ['worker researcher --threads 4', 'looks for clips in episodes, four at a time'],
  ])
}
