import type { Command } from 'commander'
import { workflows } from '../../workflows/all.ts'
import type { shells } from '../completion.ts'
import type { CliContext, Session } from '../context.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type Place, placesOf } from './places.ts'
import { zshScript } from './zsh.ts'

type Shell = (typeof shells)[number]

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const completionOf =
  (program: Command, context: CliContext) =>
  async ({ output }: Session, shell: Shell): Promise<undefined> => {
    await output.write(scripts[shell](placesOf(program, context.workflows ?? workflows)))
  }
