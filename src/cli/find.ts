import { type Command, Option } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { collect, wholeNumber } from './numbers.ts'
import { formats } from './output/formats.ts'
import { asOfOption } from './point.ts'

export const registerFind = (program: Command, context: CliContext): void => {
  const command = program
    .command('find')
    .summary('find anything: by id, path, number, name or words')
    .description(
      'Things of every kind whose id, path or name is the text or begins with it, or whose title has its words, with the command that shows each; ' +
        'and commands, questions, topics and views by words. Exact ones come first. Ids and paths are compared in their own case.',
    )
    .argument('<text...>', 'an id, the beginning of a path, a number, a name')
    .option('--kind <kind>', 'of this kind alone, such as fixity-items; may be repeated', collect)
    .option('--limit <n>', 'most of a kind; 20 unless said', wholeNumber)
    .option(...asOfOption)
    .addOption(new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats]))
    .action(runningFrom(context, () => import('./find/run.ts')))
  addExamples(command, [
    ['find main/letters/1912', 'the items whose path begins so, and their folder'],
    ['find ark:/99999/fk4abc', 'the object'],
    ['find 42', 'the batch, the job and the event with that number'],
    ['find gentian plate', 'works, objects, episodes … whose title has both words'],
    ['find hold', 'the commands and questions that speak of it'],
    ['find --kind matching-works h3xb | jq -r .id', 'ids of works'],
  ])
}
