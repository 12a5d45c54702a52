import { Argument, type Command } from 'commander'
import { workflows } from '../workflows/all.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { type Place, placesOf } from './completion/places.ts'
import { zshScript } from './completion/zsh.ts'
import { type CliContext, running } from './context.ts'
import { addExamples } from './examples.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Record<
  string,
  (places: readonly Place[]) => string
>

export const shells = ['bash', 'zsh', 'fish'] as const satisfies readonly (keyof typeof scripts)[]
type Shell = (typeof shells)[number]

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
      running(context, async ({ output }, shell: Shell) => {
        await output.write(scripts[shell](placesOf(program, context.workflows ?? workflows)))
        return undefined
      }),
    )
  addExamples(command, [
    ['completion bash > ~/.local/share/bash-completion/completions/fonds', 'for bash, in the next shell'],
    ['completion zsh > ~/.zfunc/_fonds', 'for zsh, with `fpath+=~/.zfunc` before compinit'],
    ['completion fish > ~/.config/fish/completions/fonds.fish', 'for fish'],
  ])
}
