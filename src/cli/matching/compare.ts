import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Document } from '../../domain/matching/merged/document.ts'
import type { Comparison } from '../../projections/matching/answers.ts'
import { compareGenerations } from '../../projections/matching/compare-generations.ts'
import { generationOf, rows } from '../../projections/matching/reading.ts'
import { generations } from '../../projections/matching/views.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { count, plural } from '../output/text.ts'
import { askMatching, type Format, formatOption, tell } from './ask.ts'
import { generationNumber } from './generations.ts'

export const registerCompare = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('compare')
    .summary('how the documents of two generations differ')
    .description('Before a switch: which works would be shown differently. Versions are not compared.')
    .argument('[first]', 'the live one unless said', generationNumber)
    .argument('[second]', 'the newest other one unless said', generationNumber)
    .addOption(formatOption())
    .action(running(context, compareCommand))
  addExamples(command, [
    ['matching compare', 'the live generation with the newest one'],
    ['matching compare 1 3', 'these two'],
  ])
}

const compareCommand = async (
  session: Session,
  first: number | undefined,
  second: number | undefined,
  { format }: { readonly format?: Format },
): Promise<CliFailure | undefined> => {
  const asked = await askMatching(session, { generations: [first, second] }, (views) => {
    const one = first ?? generationOf(views, {})
    const others = rows(views, generations, {}).filter(
      ({ generation, status }) => generation !== one && status !== 'dropped',
    )
    return { views, one, other: second ?? others.at(-1)?.generation }
  })
  if (isLeft(asked)) return asked.left
  const { views, one, other } = asked.right
  if (other === undefined)
    return refused(
      `there is nothing to compare generation ${one} with`,
      '`fonds matching reindex` builds another',
    )
  const comparison = await compareGenerations(views, one, other)
  return tell(session, format, comparison, () => comparisonLines(comparison))
}

export const comparisonLines = (answer: Comparison): readonly string[] => {
  const { first, second, same, different, onlyInFirst, onlyInSecond, examples } = answer
  const differ = different + onlyInFirst + onlyInSecond
  return [
    differ === 0
      ? `generations ${first} and ${second} show the same: ${plural(same, 'document')}`
      : `generations ${first} and ${second}: ${count(same)} the same, ${count(different)} different, ` +
        `${count(onlyInFirst)} only in ${first}, ${count(onlyInSecond)} only in ${second}`,
    ...examples.flatMap((example) => [
      `  ${example.work}`,
      `    ${first}: ${inWords(example.first)}`,
      `    ${second}: ${inWords(example.second)}`,
    ]),
  ]
}

const inWords = (document: Document | null): string => {
  if (document === null) return 'nothing'
  switch (document.kind) {
    case 'merged':
      return [
        `shown as ${document.title === undefined ? 'a work without a title' : `“${short(document.title)}”`}`,
        ...(document.size > 1 ? [`with ${plural(document.size - 1, 'other')}`] : []),
        ...(Object.keys(document.fields).length > 0 ? [short(JSON.stringify(document.fields))] : []),
      ].join(', ')
    case 'redirect':
      return `redirects to ${document.to}`
    default:
      return document.kind
  }
}

const longest = 200
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)
