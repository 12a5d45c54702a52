import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { registerAdd } from './research/add.ts'
import { registerFindings } from './research/findings.ts'
import { registerLists } from './research/lists.ts'
import { registerNext } from './research/next.ts'
import { registerPair } from './research/pair.ts'
import { registerProgress } from './research/progress.ts'
import { registerSimulate } from './research/simulate.ts'

export const registerResearch = (program: Command, context: CliContext): void => {
  const research = program.command('research').summary('which clips are in which episodes, and where?')
  for (const register of [
    registerAdd,
    registerProgress,
    registerFindings,
    registerPair,
    registerNext,
    registerSimulate,
    registerLists,
  ])
    register(research, context)
}
