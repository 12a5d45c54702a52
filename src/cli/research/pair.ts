import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { place } from '../../api/research/timeline-svg.ts'
import type { PairAnswer } from '../../projections/research/answers.ts'
import { pair } from '../../projections/research/pair.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { asOfOption, parsePoint } from '../point.ts'
import { askResearch, type SheetFormat, sheetFormatOption, tell, tellSheet } from './ask.ts'

interface PairFlags {
  readonly asOf?: string
  readonly format?: SheetFormat
}

export const registerPair = (research: Command, context: CliContext): void => {
  const command = research
    .command('pair')
    .summary('every result that one clip had in one episode, by which engine and researcher')
    .argument('<episode>')
    .argument('<clip>')
    .option(...asOfOption)
    .addOption(sheetFormatOption())
    .action(running(context, pairCommand))
  addExamples(command, [['research pair tbtl-4611 gurgle-17', 'what was found, and found before']])
}

const pairCommand = async (
  session: Session,
  episode: string,
  clip: string,
  { asOf, format }: PairFlags,
): Promise<CliFailure | undefined> => {
  const point = asOf === undefined ? undefined : parsePoint(asOf)
  if (point && isLeft(point)) return usage(point.left)
  const { eventStore } = await session.system()
  const answer = await pair(eventStore, episode, clip, point?.right)
  if (answer.results.length === 0) {
    const known = await askResearch(session, { episode, clip }, () => undefined)
    if (isLeft(known)) return known.left
  }
  return format === 'csv'
    ? tellSheet(session, pairRows(answer))
    : tell(session, format, answer, () => pairLines(answer))
}

/** A row a result; its offsets with spaces between. */
const pairRows = ({ episode, clip, results }: PairAnswer): readonly object[] =>
  results.map(({ matches, engine, ...rest }) => ({
    episode,
    clip,
    offsets: matches.map(({ offset }) => offset).join(' '),
    scores: matches.map(({ score }) => score).join(' '),
    engine: engine.name,
    version: engine.version,
    settings: engine.settings,
    ...rest,
  }))

const pairLines = ({ episode, clip, researched, results }: PairAnswer): readonly string[] => [
  researched
    ? `${clip} has been looked for in ${episode}`
    : `${clip} is to be looked for in ${episode}: \`fonds research next ${episode} ${clip}\` says when`,
  ...results.map(({ matches, bestScore, engine, researcher, researchedAt, note, counts }) => {
    const places = matches.map(({ offset, score }) => `${place(offset)} (${score.toFixed(3)})`).join(', ')
    const found = places === '' ? 'not found' : `found at ${places}`
    const best = bestScore === undefined ? '' : `, best score ${bestScore.toFixed(3)}`
    return `${counts ? '→' : ' '} ${researchedAt}: ${found}${best}; ${engine.name} ${engine.version} (${engine.settings}), ${researcher}${note === undefined ? '' : `: ${note}`}`
  }),
]
