import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { wholeNumber } from './numbers.ts'

export const registerProduce = (program: Command, context: CliContext): void => {
  const command = program
    .command('produce')
    .summary('put messages on a topic, from a file or standard input')
    .description(
      'Puts messages on a topic: one JSON value a line (NDJSON), each a CloudEvent, or {"type": …, "data": …}, or ' +
        'the bare data where the topic takes one type, or observations of content. Each line is checked first; refused lines keep nothing ' +
        'else from being sent.\n\n' +
        'A line without an id gets one made from the source, the topic, the line and its number, and the file’s size ' +
        'and modification time (or --batch). So the same file sent twice, as after an interruption, has its effect ' +
        'once, while a changed file counts as new.',
    )
    .argument('<topic>', '`fonds topics` lists them')
    .argument('[file]', 'standard input where absent or -')
    .option('--source <name>', 'who says it: source of lines that name none (default fonds://produce/<file>)')
    .option('--batch <name>', 'names this input: the same name and lines give the same ids')
    .option('--dry-run', 'only check the lines')
    .option(
      '--wait',
      'also handle the messages here, until the views show what came of them; 1 if any was rejected',
    )
    .option('--rejects <file>', 'keep refused lines there as they came, to be mended and sent')
    .option('--show <n>', 'most refused lines to list; all are counted', wholeNumber, 20)
    .action(runningFrom(context, () => import('./produce/run.ts')))
  addExamples(command, [
    ['produce fonds.fixity.content records.ndjson', 'sends each line; tells which are refused, and why'],
    ['produce fonds.fixity.content records.ndjson --dry-run', 'checks the lines and sends nothing'],
    ['produce fonds.fixity.content records.ndjson --rejects bad.ndjson', 'keeps refused lines apart'],
    ['produce fonds.fixity.index - --wait --batch nightly-2026-01-31 < index.ndjson', 'returns when handled'],
  ])
}
