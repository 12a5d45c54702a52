import type { Command } from 'commander'
import { workflows } from '../../workflows/all.ts'
import type { CliContext, Session } from '../context.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type Place, placesOf } from './places.ts'
import { zshScript } from './zsh.ts'

const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} satisfies Record<string, (places: readonly Place[]) => string>

export const completionOf =
  (program: Command, context: CliContext) =>
  async ({ output }: Session, shell: keyof typeof scripts): Promise<undefined> => {
    await output.write(scripts[shell](placesOf(program, context.workflows ?? workflows)))
  }
