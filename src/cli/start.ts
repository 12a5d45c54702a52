import { type Command, InvalidArgumentError } from 'commander'
import { type Role, roles } from '../app/config/settings.ts'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'

export const registerStart = (program: Command, context: CliContext): void => {
  const command = program
    .command('start')
    .summary('run everything in one process')
    .description(
      'Runs until Ctrl-C or SIGTERM: it then takes nothing new and finishes what it has. Several may run on one home; ' +
        'they share the work. A log or a broker that is away is waited for. ' +
        `Roles: ${roles.join(', ')}; without --roles all but relay, gateway and witness.`,
    )
    .option('--roles <names>', 'only these parts, with commas between', parseRoles)
    .option('--no-wait', 'end with 3 where the log or the broker is away, in place of waiting for it')
    .option('--grace <seconds>', 'longest wait for work under way when stopping', wholeNumber, 30)
    .action(runningFrom(context, () => import('./start/run.ts')))
  addExamples(command, [
    ['start', 'everything, with HTTP on this machine'],
    ['start --port 8080 --home /srv/fonds', 'elsewhere'],
    ['start --gateway 2113', "and EventStoreDB's clients may read and write the log"],
    ['start --roles relay', 'every event on `fonds.<workflow>.events`, for other systems'],
    ['start --roles processors,reactions,projections,api', 'without workers: run those with `fonds worker`'],
  ])
}

const parseRoles = (text: string): readonly Role[] => {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(roles as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no role ${unknown}; there are ${roles.join(', ')}.`)
  return names as Role[]
}
