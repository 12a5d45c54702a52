import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ofGeneration } from '../../api/matching/unknown.ts'
import { quality } from '../../projections/matching/quality.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { askMatching, generationOption } from './ask.ts'
import { type Format, findingsFormat, writeFindings } from './findings.ts'

interface QualityFlags {
  readonly alarmSize?: number
  readonly hubSize?: number
  readonly limit?: number
  readonly generation?: number
  readonly format?: Format
}

export const registerQuality = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('quality')
    .summary('what a cataloguer should look at')
    .description(
      'Graphs that one link holds together, ids that many works name and no source describes, graphs too large to be ' +
        'true, records whose content changed while their version did not. The worst come first.',
    )
    .option('--alarm-size <n>', 'graphs of so many works or more (1000)', positiveNumber)
    .option('--hub-size <n>', 'ids that so many works or more name (10)', positiveNumber)
    .option('--limit <n>', 'most lines of each kind (100)', positiveNumber)
    .addOption(generationOption())
    .addOption(findingsFormat())
    .action(running(context, qualityCommand))
  addExamples(command, [
    ['matching quality', 'the list'],
    ['matching quality --format csv > to-check.csv', 'for a spreadsheet'],
  ])
}

const qualityCommand = async (
  session: Session,
  { alarmSize, hubSize, limit, generation, format }: QualityFlags,
): Promise<CliFailure | undefined> => {
  const found = await askMatching(session, { generations: [generation] }, (views) =>
    quality(views, {
      ...ofGeneration(generation),
      ...(alarmSize !== undefined && { alarmSize }),
      ...(hubSize !== undefined && { hubSize }),
      ...(limit !== undefined && { limit }),
    }),
  )
  if (isLeft(found)) return found.left
  if (found.right.length === 0 && session.output.isTTY) session.say('nothing stands out')
  else await writeFindings(session, found.right, format)
  return undefined
}
