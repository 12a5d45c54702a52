import { type Command, Option } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { asOfOption } from './point.ts'

export const registerPremis = (program: Command, context: CliContext): void => {
  const command = program
    .command('premis')
    .summary('export the history of a thing as PREMIS 3')
    .description(
      'A thing, its parts, and what happened to them, as PREMIS 3: of an item, a bag, a store; of an object, a job, a batch; of an archive file, a work, an episode, a clip. ' +
        'docs/premis.md says which event is which. A store has all of its items, a batch its jobs and objects.',
    )
    .argument('<id>', 'what the thing is called, as for `fonds history`')
    .option(
      '--related',
      'with the things whose lives concern it: the job that took it in, the checks of its files',
    )
    .option('--leaves', 'with the place of each sealed event in the Merkle tree, for its proof: log and leaf')
    .addOption(new Option('--format <format>', 'xml, or rdf: Turtle').choices(['xml', 'rdf']).default('xml'))
    .option(
      '--base <iri>',
      'with --format rdf: an absolute address that those of objects and agents begin with',
    )
    .option(...asOfOption)
    .option('--output <file>', 'write it there; a file that exists is replaced when all is written')
    .action(runningFrom(context, () => import('./premis/run.ts')))
  const imports = command
    .command('import')
    .summary('import the events of earlier systems from their PREMIS')
    .description(
      'Reads events of PREMIS 3 and 2, also within METS, and adds them to the history of the things that they are about: with their own time, under the name of ' +
        'the system that recorded them. All of a file is read first; the same event is imported once, however often. ' +
        'Persons become references: their names are kept in the home, outside of the log.',
    )
    .argument('<file...>', 'files of XML')
    .requiredOption(
      '--source <name>',
      'the system that recorded the events; names them together with their identifiers',
    )
    .option(
      '--thing <id>',
      'the thing that all events are about; not given: those that each event names, by their identifiers',
    )
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--actor <name>', 'who imports them')
    .action(runningFrom(context, () => import('./premis/import.ts')))
  addExamples(imports, [
    [
      'premis import METS.4f2a.xml --source "Archivematica 1.13" --thing ark:/99999/fk4abc --actor ada --reason "we moved"',
      'the life of one package before it came here',
    ],
    [
      'premis import old/*.xml --source rosetta --actor ada --reason "we moved"',
      'things have kept their identifiers',
    ],
  ])
  addExamples(command, [
    ['premis main/letters/1912/03.tif', 'the life of one file, as XML'],
    [
      'premis ark:/99999/fk4abc --related --output fk4abc.xml',
      'an object, its ingest and the checks of its files',
    ],
    ['premis main/letters/1912/03.tif --as-of 2026-01-31T12:00:00Z', 'what was known that noon'],
    ['premis main --format rdf --base https://archive.example/ | gzip > main.ttl.gz', 'a store, as RDF'],
  ])
}
