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
  addExamples(list, [['people list', 'references, names and addresses']])
}
