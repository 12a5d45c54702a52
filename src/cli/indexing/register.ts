import type { Command } from 'commander'
import { type CliContext, type RegisterIn, runningFrom } from '../context.ts'
import { addExamples } from '../examples.ts'
import { userName } from '../user-name.ts'
import { registerExport } from './export.ts'

/** The sub-commands that read lists and files. */
export const register: RegisterIn = (indexing, context) => {
  registerAdd(indexing, context)
  registerRun(indexing, context)
  registerExport(indexing, context)
}

const registerAdd = (indexing: Command, context: CliContext): void => {
  const add = indexing
    .command('add')
    .summary('make archive files known')
    .description(
      'Of a folder every file in its tree, of s3://bucket/prefix every object below it; of a list, a file here or an address, a file a line: its location, or ' +
        '{"location": …, "size": …, "modifiedAt": …}. Run it again to add what is new. FONDS_INDEXING_SOURCES has ' +
        '`fonds start` look by itself.',
    )
    .argument('<what>', 'a folder, a bucket, a list, or the address of a list')
    .option('--repository <name>', 'whose files they are', 'main')
    .option('--indexed', 'they are in the index already, and are not read; names are enough')
    .option('--actor <name>', 'who adds them', userName())
    .action(runningFrom(context, () => import('./run-add.ts')))
  addExamples(add, [
    ['indexing add /srv/warcs', 'every file below the folder'],
    ['indexing add s3://bucket/crawls', 'every object below the prefix'],
    ['indexing add https://host.example/files.txt --repository nas', 'what a server lists'],
    ['indexing add indexed-before.txt --indexed', 'what was indexed before Fonds came'],
  ])
}

const registerRun = (indexing: Command, context: CliContext): void => {
  const run = indexing
    .command('run')
    .summary('index now what is due')
    .description(
      'Works on the queue in this process, beside other workers, until nothing in it is due. Exit code 1 when a file ' +
        'that was due could not be indexed.',
    )
    .action(runningFrom(context, () => import('./index-due.ts')))
  addExamples(run, [['indexing run', 'until nothing is due']])
}
