import { Option } from 'commander'
import { SubmissionType } from '../../domain/ingest/payload.ts'
import { type RegisterIn, runningFrom } from '../context.ts'
import { addExamples } from '../examples.ts'
import { collect } from '../numbers.ts'
import { userName } from '../user-name.ts'

/** The sub-command that hands something in. */
export const register: RegisterIn = (ingest, context) => {
  const submit = ingest
    .command('submit')
    .summary('hand in a file, a folder, a manifest, a bag or a URL')
    .description(
      'A folder is one object, and so is a bag (BagIt), a container (zip, tar, tar.gz, tar.bz2) and a manifest of ' +
        'files (checkm); a manifest of objects is a batch. Files of this machine are not copied: they are read where ' +
        'they are when they are taken in, so leave them there until then.',
    )
    .argument('<what>', 'a path, or an http(s) or file URL')
    .option('--profile <name>', 'how it is taken in', 'default')
    .option('--each-file', 'each file of the folder, at any depth, is an object of its own')
    .option('--each-folder', 'each folder directly below is an object of its own')
    .addOption(
      new Option('--type <type>', 'what it is; found out unless it is said').choices(
        Object.keys(SubmissionType.keys),
      ),
    )
    .option('--update', 'the last version is carried forward; else the new one holds what is submitted alone')
    .option('--ark <ark>', 'the identifier of the object')
    .option('--local-id <id>', 'what the producer calls the object; may be repeated', collect)
    .option('--who <text>', 'who made it')
    .option('--what <text>', 'what it is called')
    .option('--when <text>', 'when it was made')
    .option('--where <text>', 'where it is found')
    .option('--note <text>', 'what else is to be said')
    .option(
      '--notify <address>',
      "told in place of the profile's addresses, by mail; may be repeated",
      collect,
    )
    .option('--callback <url>', "called for each job in place of the profile's")
    .option('--digest <algorithm:hex>', 'of the file: what is read is held against it')
    .option(
      '--name <name>',
      'of the file, where its path or address has none, or none with an ending: bag.zip',
    )
    .option('--submitter <name>', 'who submits it', userName())
    .option('--wait', 'stay until its report is made, and do the work here beside others')
    .action(runningFrom(context, () => import('./submit.ts')))
  const compare = ingest
    .command('compare-storage')
    .summary('hold all that storage holds against the log')
    .description(
      'Lists objects, versions and files in storage that no event tells of, and what the log tells of and storage does not hold: ' +
        'as after a log, or a storage, was put back from a backup alone. In a bucket, what killed processes left is ended first, and multipart uploads that nobody holds are aborted. Bytes are not read: `fonds fixity` does that. What is ' +
        'found stays listed by `fonds ingest audit` until it is settled. Ends with code 1 where anything differs.',
    )
    .action(runningFrom(context, () => import('./compare-storage.ts')))
  addExamples(compare, [['ingest compare-storage', 'must say that both are the same']])
  addExamples(submit, [
    ['ingest submit letters --wait', 'a folder as one object, stored when the command ends'],
    ['ingest submit scans --each-file --profile photographs', 'each file an object'],
    ['ingest submit boxes --each-folder --wait', 'each folder in it an object, or a bag'],
    ['ingest submit https://host.example/batch.checkm --notify ada@example.org', 'what a manifest lists'],
    ['ingest submit letters --update --ark ark:/99999/fk4abc --wait', 'a version with what is new'],
  ])
}
