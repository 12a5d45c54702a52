import { Argument } from 'commander'
import { type RegisterIn, runningFrom } from '../context.ts'
import { addExamples } from '../examples.ts'
import { signedNumber } from '../numbers.ts'
import { userName } from '../user-name.ts'

/** The sub-command that records sound files. */
export const register: RegisterIn = (research, context) => {
  const command = research
    .command('add')
    .summary('record sound files as episodes, or as clips to look for')
    .description(
      'Every mp3, mp2, wav, flac and ogg file below a folder, or a prefix of a bucket (s3://<bucket>/<prefix>), or the ' +
        'one file that is named, is curated: its id and title ' +
        'are its name, and the day it was last changed orders it among others. Of files that differ in their ending ' +
        'alone the lossless one is taken. Run it again to add what is new. Feeds ' +
        'and catalogues send `episode.curated` and `clip.curated` themselves: see `fonds schema`.',
    )
    .addArgument(new Argument('<kind>').choices(['episodes', 'clips']))
    .argument('<path...>')
    .option('--curator <name>', 'who brings them', userName())
    .option('--priority <n>', 'higher goes first (0)', signedNumber)
    .action(runningFrom(context, () => import('./run-add.ts')))
  addExamples(command, [
    ['research add episodes /srv/programmes', 'every recording below the folder'],
    ['research add episodes s3://archive/programmes', 'every recording below the prefix of a bucket'],
    ['research add clips ~/clips --priority 5', 'clips that go before others'],
  ])
}
