import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ofGeneration } from '../../api/matching/unknown.ts'
import { why } from '../../projections/matching/why.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { asOfOption } from '../point.ts'
import { askMatching, type Format, formatOption, generationOption, pastOf, tell } from './ask.ts'
import { whyLines } from './why-lines.ts'

interface WhyFlags {
  readonly asOf?: string
  readonly generation?: number
  readonly format?: Format
}

export const registerWhy = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('why')
    .summary('why two works are one, or since when they are not')
    .description(
      'The shortest way from one to the other, each step with its reason and the record that states it; and the links ' +
        'without any one of which they would part.',
    )
    .argument('<work>')
    .argument('<other>')
    .option(...asOfOption)
    .addOption(generationOption())
    .addOption(formatOption())
    .action(running(context, whyCommand))
  addExamples(command, [
    ['matching why h3xbcs2m jz8d34qd', 'what links them'],
    ['matching why h3xbcs2m jz8d34qd --as-of 2026-01-31T12:00:00Z', 'what linked them that noon'],
  ])
}

const whyCommand = async (
  session: Session,
  a: string,
  b: string,
  { asOf, generation, format }: WhyFlags,
): Promise<CliFailure | undefined> => {
  const answer = await askMatching(session, { works: [a, b], generations: [generation], asOf }, (views) => {
    const found = why(views, a, b, ofGeneration(generation))
    return found && { found, past: pastOf(views, generation) }
  })
  if (isLeft(answer)) return answer.left
  const { found, past } = answer.right
  return tell(session, format, found, () => whyLines(found, past))
}
