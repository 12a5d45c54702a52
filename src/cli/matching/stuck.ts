import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ofGeneration } from '../../api/matching/unknown.ts'
import { stuck } from '../../projections/matching/stuck.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber, wholeNumber } from '../numbers.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { plural } from '../output/text.ts'
import { askMatching, generationOption } from './ask.ts'
import { type Format, findingsFormat, writeFindings } from './findings.ts'

interface StuckFlags {
  readonly allowedSeconds?: number
  readonly limit?: number
  readonly generation?: number
  readonly format?: Format
}

export const registerStuck = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('stuck')
    .summary('updates that were accepted and cannot be seen')
    .description(
      'Works that wait for the matcher, graphs whose documents are not all written, and what is wrong in a graph at ' +
        'rest: each with what to do. Exit code 1 when there is anything.',
    )
    .option('--allowed-seconds <n>', 'how long an update may be on its way (60)', wholeNumber)
    .option('--limit <n>', 'most lines (100)', positiveNumber)
    .addOption(generationOption())
    .addOption(findingsFormat())
    .action(running(context, stuckCommand))
  addExamples(command, [
    ['matching stuck', 'what waits for longer than a minute'],
    ['matching stuck --allowed-seconds 0', 'whatever is not at rest'],
  ])
}

const stuckCommand = async (
  session: Session,
  { allowedSeconds, limit, generation, format }: StuckFlags,
): Promise<CliFailure | undefined> => {
  const { clock } = await session.system()
  const found = await askMatching(session, { generations: [generation] }, (views) =>
    stuck(views, clock.now(), {
      ...ofGeneration(generation),
      ...(allowedSeconds !== undefined && { allowedSeconds }),
      ...(limit !== undefined && { limit }),
    }),
  )
  if (isLeft(found)) return found.left
  if (found.right.length === 0) {
    if (session.output.isTTY) session.say('nothing is stuck')
    return undefined
  }
  await writeFindings(session, found.right, format)
  return refused(
    `${plural(found.right.length, 'thing')} stuck`,
    '`fonds matching resend <work>` makes the documents of a graph anew; `fonds start` does what waits',
  )
}
