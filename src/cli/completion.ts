import { Argument, type Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

export const registerCompletion = (program: Command, context: CliContext): void => {
  const command = program
    .command('completion')
    .summary('print a script that completes commands in your shell')
    .description(
      'A script for a shell: the tab key then completes commands, their options, views, topics, and the fields of ' +
        '`fonds do`. It is made from the commands of this version: make it again after an upgrade.',
    )
    .addArgument(new Argument('<shell>').choices(shells))
    .action(
      runningFrom(context, async () => ({
        run: (await import('./completion/run.ts')).completionOf(program, context),
      })),
    )
  addExamples(command, [
    ['completion bash > ~/.local/share/bash-completion/completions/fonds', 'for bash, in the next shell'],
    ['completion zsh > ~/.zfunc/_fonds', 'for zsh, with `fpath+=~/.zfunc` before compinit'],
    ['completion fish > ~/.config/fish/completions/fonds.fish', 'for fish'],
  ])
}
