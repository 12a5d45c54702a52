import type { Command } from 'commander'
import { dashed } from '../../domain/kernel/setting.ts'
import type { ShortForm } from '../../processors/runtime/operator-command.ts'
import type { SystemCommand } from '../../workflows/workflow.ts'
import { type CliContext, running } from '../context.ts'
import { addExamples } from '../examples.ts'
import { inALine } from '../sentence.ts'
import type { FollowUp } from './run-short.ts'

type Fields = Readonly<Record<string, unknown>>

/** `fonds <workflow> <verb>`: an operator's command with its fields as arguments and flags. */
export const registerShort = (
  group: Command,
  context: CliContext,
  command: SystemCommand,
  short: ShortForm<never>,
  followUp?: FollowUp,
): void => {
  const [workflow, verb = ''] = command.name.split('.')
  const added = group
    .command(verb)
    .summary(inALine(command.description))
    .description(`${command.description}\n\n${short.description}`)
  for (const name of short.arguments) added.argument(`<${name}>`)
  for (const [name, { description, value }] of Object.entries(short.flags ?? {}))
    added.option(`--${dashed(name)}${value === undefined ? '' : ` <${value}>`}`, description)
  for (const [flag, description] of followUp?.flags ?? []) added.option(flag, description)
  added
    .option('--actor <name>', 'who wants it')
    .option('--reason <text>', 'why')
    .option('--id <key>', 'names this wish: given again with the same one it has its effect once')
    .action(
      running(context, async (session, ...given: unknown[]) => {
        const count = short.arguments.length
        const named = Object.fromEntries(short.arguments.map((name, i) => [name, given[i]]))
        const { runShort } = await import('./run-short.ts')
        return runShort(session, command, short, named, given[count] as Fields, followUp)
      }),
    )
  addExamples(
    added,
    short.examples.map(([typed, does]) => [`${workflow} ${typed}`, does] as const),
  )
}
