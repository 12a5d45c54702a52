import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const registerRebuild = (program: Command, context: CliContext): void => {
  const command = program
    .command('rebuild')
    .summary('fold views anew from the log, and prove that they were right')
    .description(
      'Folds the views of a projection from the first event on, beside the live ones, which answer meanwhile; then the ' +
        'new ones take their place. With --verify both are compared row for row first, and where they differ the live ' +
        'ones stay, unless --promote says otherwise.',
    )
    .argument('[projection]')
    .option('--all', 'every projection')
    .option('--verify', 'compare with the live views first')
    .option('--promote', 'take their place even where rows differ: the log is the truth')
    .action(runningFrom(context, () => import('./rebuild/run.ts')))
  addExamples(command, [
    ['rebuild --all --verify', 'proves that all views are what the log says'],
    ['rebuild fixity', 'folds the views of fixity anew'],
    ['rebuild fixity --verify --promote', 'shows what was wrong, and puts it right'],
  ])
}
