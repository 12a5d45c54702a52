import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { workflows as all } from '../../workflows/all.ts'
import { commandsOf, type Workflow } from '../../workflows/workflow.ts'
import { CommandFailed } from '../output/exit-codes.ts'
import { commandHelp } from './command-help.ts'
import { findCommand } from './find-command.ts'

/** Behind the name of an operator's command `--help` is about that command. */
export const helpOfEach = (
  doIt: Command,
  workflows: readonly Workflow[] = all,
  named: () => string | undefined,
): void => {
  const general = doIt.helpInformation.bind(doIt)
  doIt.helpInformation = (asked) => {
    const name = named()
    if (name === undefined) return general(asked)
    const found = findCommand(commandsOf(workflows), name)
    if (isLeft(found)) throw new CommandFailed(found.left)
    return commandHelp(found.right, (text) => doIt.createHelp().styleTitle(text))
  }
}
