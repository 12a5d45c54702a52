import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { standingOf } from '../../projections/matching/reading.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { askMatching } from './ask.ts'
import { type By, byOptions, change, tellChange } from './change.ts'

export const registerHandOver = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('hand-over')
    .summary('let another source speak for a work')
    .description(
      'From then on the word of that source is taken, whatever its versions, and the word of the one before is ' +
        'refused. What is known of the work stays until it speaks.',
    )
    .argument('<work>')
    .argument('<source>', 'who speaks for it from now on')
  byOptions(command, 'hand-over').action(running(context, handOverCommand))
  addExamples(command, [
    [
      'matching hand-over h3xbcs2m folio --reason "moved to the new library system"',
      'folio describes it now',
    ],
  ])
}

const handOverCommand = async (
  session: Session,
  work: string,
  to: string,
  by: By,
): Promise<CliFailure | undefined> => {
  const known = await askMatching(session, { works: [work] }, (views) =>
    standingOf(views, work) === 'unknown' ? undefined : true,
  )
  if (isLeft(known)) return known.left
  const events = await change(session, 'hand-over', { work, to }, by)
  return tellChange(session, 'hand-over', events, `${to} speaks for ${work} from now on`)
}
