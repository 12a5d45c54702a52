import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { collect, wholeNumber } from './numbers.ts'

const where = ['--where <condition>', 'column=value, as in `fonds query`; may be repeated', collect] as const

export const registerDeadLetters = (program: Command, context: CliContext): void => {
  const command = program
    .command('dead-letters')
    .summary('look after messages that could not be used')
    .description(
      'Messages that could not be used are kept whole, with the reason, until a person retries or discards them.',
    )
  addExamples(command, [
    ['dead-letters list', 'what waits for a person'],
    ['dead-letters show <id>', 'one of them whole, as it came'],
    [
      'dead-letters retry <id> --actor r.vermeer --reason "the codec was mended"',
      'puts it on its topic again',
    ],
    [
      'dead-letters discard --all --where reason=not-json --actor r.vermeer --reason "test traffic" --yes',
      'settles many at once',
    ],
  ])

  const list = command
    .command('list')
    .description('Dead letters, the oldest first.')
    .option('--status <status>', 'waiting, retried, discarded or all', 'waiting')
    .option(...where)
    .option('--limit <n>', 'most of them', wholeNumber)
    .action(runningFrom(context, () => import('./dead-letters/list.ts')))
  addExamples(list, [['dead-letters list --where topic=fonds.fixity.content', 'those of one topic']])

  const show = command
    .command('show')
    .description('One dead letter whole, with the message as it came.')
    .argument('<id>')
    .action(runningFrom(context, () => import('./dead-letters/show.ts')))
  addExamples(show, [['dead-letters show <id> | jq -r .value', 'the message alone']])

  for (const [verb, description] of [
    ['retry', 'Puts the message on its topic again, as it came, and handles it.'],
    ['discard', 'Notes that it is not needed. It stays readable.'],
  ] as const) {
    const subcommand = command
      .command(verb)
      .description(description)
      .argument('[id]')
      .option('--actor <name>', 'who wants it')
      .option('--reason <text>', 'why')
      .option('--all', 'all that wait')
      .option(...where)
      .option('--yes', 'go on without asking; needed with --all')
      .action(runningFrom(context, async () => (await import('./dead-letters/resolve.ts'))[verb]))
    addExamples(subcommand, [[`dead-letters ${verb} <id> --actor r.vermeer --reason <why>`, description]])
  }
}
