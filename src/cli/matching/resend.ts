import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { standingOf } from '../../projections/matching/reading.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { askMatching } from './ask.ts'
import { type By, byOptions, change, tellChange } from './change.ts'

export const registerResend = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('resend')
    .summary('send the graph of a work again, from the facts')
    .description(
      'Every work of the graph gets its document anew, at a new version: the repair of whatever is missing or wrong ' +
        'downstream. It changes no fact.',
    )
    .argument('<work>')
  byOptions(command, 'resend').action(running(context, resendCommand))
  addExamples(command, [
    ['matching resend h3xbcs2m --reason "its page is empty"', 'makes its documents anew'],
  ])
}

const resendCommand = async (session: Session, work: string, by: By): Promise<CliFailure | undefined> => {
  const known = await askMatching(session, { works: [work] }, (views) =>
    standingOf(views, work) === 'unknown' ? undefined : true,
  )
  if (isLeft(known)) return known.left
  const events = await change(session, 'resend', { work }, by)
  return tellChange(session, 'resend', events, `the graph of ${work} was sent again`)
}
