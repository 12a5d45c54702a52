import { Option } from 'commander'
import { type RegisterIn, runningFrom } from '../context.ts'
import { addExamples } from '../examples.ts'
import { formats } from '../output/formats.ts'

/** The list comes from a file beside the log, and from no view. */
export const register: RegisterIn = (people, context) => {
  const list = people
    .command('list')
    .summary('who is kept in this home, by reference')
    .description(
      'Names and mail addresses of those who signed in at this home, were entered by hand, or were given a finding. The log has ' +
        'references alone. `fonds people forget` deletes one.',
    )
    .addOption(new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats]))
    .action(runningFrom(context, () => import('./list.ts')))
  const show = people
    .command('show')
    .argument('<reference>', 'personal:…, as it stands in the log')
    .summary('a personal value with its salt, by its reference in the log')
    .description(
      'Writes the value of a reference, and the salt by which anybody can compute its commitment, which the log has: whoever is given both ' +
        'can check what an event was about. docs/erasing.md has the form.',
    )
    .action(runningFrom(context, () => import('./show.ts')))
  addExamples(show, [['people show personal:…', 'what the reference stands for, or when it was erased']])
  addExamples(list, [['people list', 'references, names and addresses']])
}
