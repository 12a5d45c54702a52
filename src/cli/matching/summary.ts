import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ofGeneration } from '../../api/matching/unknown.ts'
import type { SummaryAnswer } from '../../projections/matching/answers.ts'
import { summary } from '../../projections/matching/summary.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { count, plural } from '../output/text.ts'
import { askMatching, type Format, formatOption, generationOption, tell } from './ask.ts'

interface SummaryFlags {
  readonly generation?: number
  readonly format?: Format
}

export const registerSummary = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('summary')
    .summary('how many works and graphs there are, and what waits')
    .addOption(generationOption())
    .addOption(formatOption())
    .action(running(context, summaryCommand))
  addExamples(command, [['matching summary', 'of the live generation']])
}

const summaryCommand = async (
  session: Session,
  { generation, format }: SummaryFlags,
): Promise<CliFailure | undefined> => {
  const found = await askMatching(session, { generations: [generation] }, (views) =>
    summary(views, ofGeneration(generation)),
  )
  if (isLeft(found)) return found.left
  return tell(session, format, found.right, () => summaryLines(found.right))
}

/** Only what there is: zeros are not said. */
export const summaryLines = (answer: SummaryAnswer): readonly string[] => {
  const { works, documents, refusals } = answer
  const largest = answer.largest.filter(({ size }) => size > 1)
  const all = works.visible + works.invisible + works.deleted
  if (all === 0)
    return ['no work has come in yet: `fonds produce fonds.matching.works <file> --wait` sends records']
  return [
    `${plural(all, 'work')}${inBrackets(works)}, ${plural(answer.links, 'link')}, ` +
      `${plural(answer.placeholders, 'id')} that no source describes`,
    `${plural(answer.components, 'graph')} in generation ${answer.generation}: ${sizesOf(answer)}`,
    `documents: ${counted(documents) || 'none'}`,
    ...(largest.length > 0
      ? [
          `largest graphs: ${largest.map(({ component, size }) => `${component} (${count(size)})`).join(', ')}`,
        ]
      : []),
    ...(Object.keys(refusals).length > 0
      ? [`refused: ${counted(refusals)}: see \`fonds query matching-refusals\``]
      : []),
    ...(answer.corrected > 0
      ? [`${plural(answer.corrected, 'work')} came again with other content under the same version`]
      : []),
    answer.unmatched + answer.unindexed + answer.faults === 0
      ? 'at rest: everything that was accepted can be seen'
      : `not at rest: ${plural(answer.unmatched, 'work')} to be matched, ${plural(answer.unindexed, 'graph')} to be ` +
        `indexed, ${plural(answer.faults, 'fault')}: see \`fonds matching stuck\``,
  ]
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${count(n)} ${name}`)
    .join(', ')

const inBrackets = (counts: Readonly<Record<string, number>>): string => {
  const text = counted(counts)
  return text === '' ? '' : ` (${text})`
}

const mostSizes = 8

const sizesOf = ({ sizes }: SummaryAnswer): string => {
  const some = sizes
    .slice(0, mostSizes)
    .map(({ size, components }) => `${count(components)} of ${plural(size, 'work')}`)
  return [...some, ...(sizes.length > mostSizes ? ['larger ones'] : [])].join(', ') || 'none'
}
