import { type Command, Option } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

export const registerMigrate = (program: Command, context: CliContext): void => {
  const command = program
    .command('migrate')
    .summary('copy the log to an EventStoreDB server, or into another file')
    .description(
      'Copies every event, in order, with its id and its time, then reads both logs and compares them; then what is ruled ' +
        'about streams ($maxAge, $acl, …). Streams whose first events are gone are named: they stay behind. A copy that was ' +
        'broken off goes on where it was; another run copies what was written meanwhile. What only keeps house (who has ' +
        'a duty) stays behind; how far reactions and the relay have come goes along. The log is left as it is.',
    )
    .addOption(
      new Option(
        '--to <address>',
        'the server, as esdb://<host>:<port>?tls=false, or the file, as sqlite:<file>',
      ).makeOptionMandatory(),
    )
    .action(runningFrom(context, () => import('./migrate/run.ts')))
  addExamples(command, [
    [
      'migrate --to esdb://127.0.0.1:2113?tls=false',
      'copies the log, or what is missing of it, and proves the copy',
    ],
    [
      'migrate --to "esdb+discover://fonds:…@nodes.example.org:2113?tlsCAFile=ca.pem"',
      'the same, to a cluster',
    ],
    [
      'migrate --event-store esdb://127.0.0.1:2113?tls=false --to sqlite:/srv/fonds/fonds.db',
      'the way back, into the file of a home',
    ],
  ])
}
