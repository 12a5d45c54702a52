import type { Command } from 'commander'
import { type Register, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const registerDo: Register = async (program, context, isTyped) => {
  const command = program
    .command('do')
    .summary("give an operator's command, and wait for what comes of it")
    .description(
      'Gives a command as a person: who wants it and why is kept with what happens. Returns when everything that ' +
        'follows from it is done and the views show it. Without a command it lists them.\n\n' +
        'With --each it is given once for each line of a list. All lines are read first: where one cannot be used, all that ' +
        'cannot are told and nothing is done. The domain may still reject some; they are told, and the others are done. ' +
        'With --id the whole can be given again, as after a crash: each line has its effect once.',
    )
    .argument('[command]')
    .argument('[fields...]', 'key=value each; or - for a JSON object on standard input')
    .option('--actor <name>', 'who wants it')
    .option('--reason <text>', 'why')
    .option('--id <key>', 'names this wish: given again with the same one it has its effect once')
    .option('--confirm', 'it is wanted though somebody will not be told; without it the command says who')
    .option(
      '--each <file>',
      'once for each line: JSON objects with the fields that differ; - is standard input',
    )
    .action(runningFrom(context, () => import('./do/run.ts')))
  if (isTyped('do')) {
    const { helpOfEach } = await import('./do/help-of-each.ts')
    helpOfEach(command, context.workflows, () => namedIn(command))
  }
  const examples = [
    ['do', 'lists the commands, with an example each'],
    [
      'do fixity.check store=main path=letters/1912/03.tif --actor r.vermeer --reason "a reader saw a torn page"',
      'wants one item checked now',
    ],
    [
      'do research.prioritise --each list.ndjson priority=5 --actor r.vermeer --reason "the centenary"',
      'for each line, such as {"episode":"show-1"}: all lines are checked before the first is done',
    ],
    ['do fixity.accept --help', 'says which fields that one takes'],
    ['do fixity.register-store - --actor r.vermeer --reason new < store.json', 'takes the fields as JSON'],
  ] as const
  addExamples(command, examples, () => namedIn(command) === undefined)
}

/** The operator's command that is named on the command line. */
const namedIn = ({ args: [name] }: Command): string | undefined =>
  name === undefined || name.startsWith('-') ? undefined : name
