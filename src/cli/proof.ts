import { type Command, InvalidArgumentError } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'
import { collect } from './numbers.ts'

export const registerProof = (program: Command, context: CliContext): void => {
  const command = program
    .command('proof')
    .summary('prove that the history is the one that was signed')
    .description(
      'The log is sealed while Fonds runs: a Merkle tree of all events, whose head is signed. Whoever has the public key and a proof ' +
        'checks without us that an event was not changed, removed or reordered since. docs/proof.md says what that proves, and what not.',
    )
  addExamples(command, [
    ['proof key', 'the public keys, to be given to outsiders'],
    ['proof check', 'the whole log, against the tree'],
    ['proof of 0190c3b0-0000-7000-8000-000000000003', 'a file that proves one event'],
    ['proof export ./history', 'everything, for an outsider'],
  ])

  const key = command
    .command('key')
    .summary('show the public keys of the tree')
    .description(
      'Shows the keys that sign heads of the tree, as c2sp.org/signed-note writes them. Publish them where you cannot change them later: a proof is as good as the key that is believed.',
    )
    .option('--policy', 'as a trust policy (c2sp.org/tlog-policy), which `proof verify` and others read')
    .option('--rotate', 'have new keys take the place of these: as `fonds do proof.replace-keys`')
    .option('--actor <name>', 'with --rotate: who wants it')
    .option('--reason <text>', 'with --rotate: why')
    .action(runningFrom(context, () => import('./proof/run-key.ts')))
  addExamples(key, [
    ['proof key', 'one line a key'],
    ['proof key --policy > archive.policy', 'for whoever checks proofs'],
    ['proof key --rotate --actor ada --reason "the disk was stolen"', 'other keys from now on'],
  ])

  const check = command
    .command('check')
    .summary('compare the whole log with the tree')
    .description(
      'Reads every event and compares it with its leaf, and the tree with its signed head. Names each event that was changed, removed, inserted or moved since it was sealed. ' +
        'Exit code 1 where there is one. While Fonds runs, too.',
    )
    .action(runningFrom(context, () => import('./proof/run-check.ts')))
  addExamples(check, [['proof check', 'every event']])

  const of = command
    .command('of')
    .summary('write the proof of an event, or of all that happened to a thing')
    .description(
      'Writes a .tlog-proof (c2sp.org/tlog-proof): the entry of the event, its place in the tree, and the signed head. It needs nothing else, and holds for ever. ' +
        'The event is named by its id, or by its stream and its revision there: `fonds history` shows both. Of a thing it is the newest event. ' +
        'With --all it is a folder, as `proof export` writes one: every sealed event of the thing in its stored bytes, each with its proof, and the entries of the tree behind the last, which show that there are no more; of those before the newest statement on all streams, which the sealer makes daily, that statement instead.',
    )
    .argument('<event>', 'id of the event; or a stream; or what the thing is called, as for `fonds history`')
    .argument('[revision]', 'revision in that stream', revisionIn)
    .option('--all', 'every event of a thing, and that there are no more')
    .option('--whole', 'with --all: all entries behind the last event, and no statement')
    .option('--newest', 'with --all up to the newest head, where witnesses cosigned an older one')
    .option(
      '--output <file>',
      'write it there (default: <id of the event>.tlog-proof; with --all <thing>-proof, a folder)',
    )
    .action(runningFrom(context, () => import('./proof/run-of.ts')))
  addExamples(of, [
    ['proof of 0190c3b0-0000-7000-8000-000000000003', 'by its id'],
    ['proof of item-main/letters/03.tif 4 --output 03.tlog-proof', 'by its place in its stream'],
    ['proof of main/letters/03.tif --all', 'all that happened to a file'],
  ])

  const view = command
    .command('view')
    .summary('write the proof of a row of a view')
    .description(
      'Writes a file with what the archive stated of all rows of a view, an event ViewSealed and its proof, and with --row that this row is one of them. ' +
        'The sealer states it once a day for all views, and --seal now. A row is proven as it is now: where the view changed since it was sealed, seal it again.',
    )
    .argument('<view>', '`fonds query` lists them')
    .option('--row <key...>', 'the key of a row: a value for each of its columns')
    .option('--seal', 'state it of the rows as they are now; needs --actor and --reason')
    .option('--actor <name>', 'who wants it')
    .option('--reason <text>', 'why')
    .option('--output <file>', 'write it there (default: <view>.view-proof.json)')
    .action(runningFrom(context, () => import('./proof/run-view.ts')))
  addExamples(view, [
    ['proof view fixity-items', 'how many rows there are, and their root'],
    [
      'proof view fixity-items --row main letters/03.tif --seal --actor ada --reason "asked for by its donor"',
      'one item, as it is now',
    ],
  ])

  const exporting = command
    .command('export')
    .summary('write the history for somebody who has only the folder')
    .description(
      'Writes all sealed events in their stored bytes, the tree, its signed head, the keys, a text for people, and a program in Python that checks it all without us. ' +
        'For an auditor, a partner, or the shelf: nothing else is needed. Refused where the log is not as it was sealed.',
    )
    .argument('<folder>', 'a new one, or one that is empty; with --within an OCFL object or a bag')
    .option('--newest', 'up to the newest head, where witnesses cosigned an older one')
    .option('--thing <id>', 'the events of a thing alone, as `proof of --all` does; may be repeated', collect)
    .option('--whole', 'with --thing: all entries behind the last events, and no statement')
    .option(
      '--within',
      'with --thing: into the folder, which is an OCFL object (below logs/) or a bag (as tag files, which its tag manifests then list)',
    )
    .option('--since <time>', 'events recorded from then on; of those before only the entries', timeIn)
    .action(runningFrom(context, () => import('./proof/run-export.ts')))
  addExamples(exporting, [
    ['proof export ./history-2026', 'everything that was sealed'],
    ['proof export ./case-7 --thing ark:/99999/fk4abc --thing main/letters/03.tif', 'two things'],
    ['proof export ./bags/letters --thing ark:/99999/fk4abc --within', 'the history travels with the bag'],
    ['proof export ./december --since 2026-12-01T00:00:00Z', 'the events of a month, with the whole tree'],
  ])

  const witness = command
    .command('witness')
    .summary('show the keys of the witness here, and what speaks against logs')
    .description(
      'Shows the public keys by which the role witness cosigns the logs of others, as lines of a trust policy, and the heads that it refused: both heads of each fork.',
    )
    .action(runningFrom(context, () => import('./proof/run-witness.ts')))
  addExamples(witness, [['proof witness', 'to be given to the archives whose logs are witnessed']])

  const mirror = command
    .command('mirror')
    .summary("hold a copy of another archive's tree")
    .description(
      'Copies the tree of a log (c2sp.org/tlog-tiles) below an address, and checks it as it comes: entries, root, signatures. Run again, it goes on from what it holds, and takes no head that does not follow from that: ' +
        'so it finds a history that was put back, or a second one. Exit code 1 then; the head that speaks against the log is written beside the copy.',
    )
    .argument('<address>', "of the log: another archive's https://…/proof")
    .argument('<folder>', 'of the copy; any web server can serve it')
    .requiredOption('--policy <file>', 'the keys that are believed, as its `proof key --policy` wrote them')
    .option('--follow', 'look again each minute, until Ctrl-C')
    .action(runningFrom(context, () => import('./proof/run-mirror.ts')))
  addExamples(mirror, [
    [
      'proof mirror https://archive.example/proof ./partner --policy partner.policy',
      'once; put it into a timer',
    ],
  ])

  const verify = command
    .command('verify')
    .summary('check a proof, or an export, offline')
    .description(
      'Checks a .tlog-proof, a .view-proof.json, the page of a report, or the folder of an export. Says what holds, what does not, and what it could not check. Believes the keys of the policy alone; ' +
        'without one those of this home, or of the export itself, which proves nothing of the keys. Exit code 1 where something does not hold.',
    )
    .argument('<file or folder>')
    .option(
      '--policy <file>',
      'the keys that are believed, as `proof key --policy` of the archive wrote them',
    )
    .action(runningFrom(context, () => import('./proof/run-verify.ts')))
  addExamples(verify, [
    ['proof verify 03.tlog-proof --policy archive.policy', 'by a key that came another way'],
    ['proof verify report.html --policy archive.policy', 'a report that carries its proof'],
    ['proof verify ./export --policy archive.policy', 'a whole history'],
  ])
}

const timeIn = (text: string): string => {
  const millis = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  // February has no 30th day: `Date` would go on into March.
  const day = Number(text.slice(8, 10))
  const hasDay =
    day >= 1 &&
    new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day
  if (!Number.isNaN(millis) && hasDay) return new Date(millis).toISOString()
  throw new InvalidArgumentError('It is a time with a zone: 2026-12-01T00:00:00Z.')
}

const revisionIn = (text: string): bigint => {
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new InvalidArgumentError('It is a whole number from 0.')
}
