import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { generationOf, generationRow } from '../../projections/matching/reading.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { count, plural } from '../output/text.ts'
import { askMatching, type Format, formatOption, generationOption, tell } from './ask.ts'
import { type Verified, verifyGraphs } from './verify-graphs.ts'

interface VerifyFlags {
  readonly generation?: number
  readonly format?: Format
}

export const registerVerify = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('verify')
    .summary('prove that the graphs are what the records say')
    .description(
      'Reads the latest word on every work from the log, finds the works that links connect by a plain search, and ' +
        'holds the graphs against it. What came after the last change of the graphs is left out. Exit code 1 when ' +
        'they differ.',
    )
    .addOption(generationOption())
    .addOption(formatOption())
    .action(running(context, verifyCommand))
  addExamples(command, [['matching verify', 'the graphs of the live generation']])
}

const verifyCommand = async (
  session: Session,
  { generation: asked, format }: VerifyFlags,
): Promise<CliFailure | undefined> => {
  const found = await askMatching(session, { generations: [asked] }, (views) => {
    const generation = generationOf(views, asked === undefined ? {} : { generation: asked })
    return { generation, row: generationRow(views, generation) }
  })
  if (isLeft(found)) return found.left
  const { generation, row } = found.right
  if (row?.status === 'dropped')
    return refused(`generation ${generation} was dropped: nothing is added to it`)
  if (row?.status === 'building')
    return refused(`generation ${generation} is still being built`, 'try again when it is ready')
  const system = await session.system()
  const verified = await verifyGraphs(system, generation, session.signal)
  await tell(session, format, { generation, ...verified }, () => lines(verified))
  return verified.differences === 0
    ? undefined
    : refused(
        `${plural(verified.differences, 'graph')} of generation ${generation} not as the records say`,
        '`fonds rebuild matching --verify` tells whether the views are at fault; `fonds matching resend <work>` tells a graph anew',
      )
}

const lines = ({ components, works, differences, examples }: Verified): readonly string[] =>
  differences === 0
    ? [`${plural(components, 'graph')} of ${plural(works, 'work')}, all equal`]
    : examples.flatMap(({ expected, found }) => [
        `the records say  ${described(expected)}`,
        `the graphs say   ${described(found)}`,
      ])

const mostNamed = 20

const described = (ids: readonly string[]): string =>
  ids.length === 0
    ? 'nothing'
    : `${ids.slice(0, mostNamed).join(', ')}${ids.length > mostNamed ? ` and ${count(ids.length - mostNamed)} more` : ''}`
