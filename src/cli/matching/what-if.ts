import { Argument, type Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ofGeneration } from '../../api/matching/unknown.ts'
import type { WhatIfAnswer } from '../../projections/matching/answers.ts'
import { whatIf } from '../../projections/matching/what-if.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { askMatching, type Format, formatOption, generationOption, tell } from './ask.ts'
import { whatIfLines } from './what-if-lines.ts'

interface WhatIfFlags {
  readonly generation?: number
  readonly format?: Format
}

export const registerWhatIf = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('what-if')
    .summary('what would change if a record dropped or stated a link')
    .description('Tries it out on the graphs and documents of now. It changes nothing.')
    .addArgument(new Argument('<change>').choices(['drop', 'add']))
    .argument('<from>', 'the work that states the link')
    .argument('<to>', 'the work that it names')
    .addOption(generationOption())
    .addOption(formatOption())
    .action(running(context, whatIfCommand))
  addExamples(command, [
    ['matching what-if drop jz8d34qd h3xbcs2m', 'which works would part'],
    ['matching what-if add nymm52zc h3xbcs2m', 'which works would become one'],
  ])
}

const whatIfCommand = async (
  session: Session,
  kind: WhatIfAnswer['change']['kind'],
  from: string,
  to: string,
  { generation, format }: WhatIfFlags,
): Promise<CliFailure | undefined> => {
  const answer = await askMatching(session, { works: [from], generations: [generation] }, (views) =>
    whatIf(views, { kind, from, to }, ofGeneration(generation)),
  )
  if (isLeft(answer)) return answer.left
  return tell(session, format, answer.right, () => whatIfLines(answer.right))
}
