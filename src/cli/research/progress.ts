import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Progress } from '../../projections/research/answers.ts'
import { progress } from '../../projections/research/progress.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { count, plural } from '../output/text.ts'
import { asOfOption } from '../point.ts'
import { askResearch, type SheetFormat, sheetFormatOption, tell, tellSheet, toTheSecond } from './ask.ts'

interface ProgressFlags {
  readonly asOf?: string
  readonly format?: SheetFormat
}

export const registerProgress = (research: Command, context: CliContext): void => {
  const command = research
    .command('progress')
    .summary('how much is done, how fast it goes, when it will be done')
    .option(...asOfOption)
    .addOption(sheetFormatOption())
    .action(running(context, progressCommand))
  addExamples(command, [
    ['research progress', 'of everything'],
    ['research progress --as-of 2026-01-31T12:00:00Z', 'as it was that noon'],
  ])
}

const progressCommand = async (
  session: Session,
  { asOf, format }: ProgressFlags,
): Promise<CliFailure | undefined> => {
  const answer = await askResearch(session, { asOf }, progress)
  if (isLeft(answer)) return answer.left
  const { rate, ...amounts } = answer.right
  return format === 'csv'
    ? tellSheet(session, [{ ...amounts, hourlyOverDay: rate.day, lastHour: rate.hour }])
    : tell(session, format, answer.right, () => progressLines(answer.right))
}

export const progressLines = (answer: Progress): readonly string[] => {
  const { episodes, clips, pairs, researched, leased, open, found, episodesDone, parked, rate, forecast } =
    answer
  if (pairs === 0)
    return [
      `${plural(episodes, 'episode')} and ${plural(clips, 'clip')}: nothing to ${episodes === 0 ? 'listen to' : 'look for'} yet; ` +
        `\`fonds research add ${episodes === 0 ? 'episodes' : 'clips'} <folder>\` records sound files`,
    ]
  return [
    `${bar(researched / pairs)} ${percent(researched / pairs)}`,
    `${plural(episodes, 'episode')} × ${plural(clips, 'clip')}: ${count(researched)} of ${plural(pairs, 'pair')} researched, ` +
      `${count(leased)} under lease, ${count(open)} open`,
    `${plural(episodesDone, 'episode')} done; clips found in ${plural(found, 'pair')}`,
    ...(rate.day > 0
      ? [
          `${count(Math.round(rate.day))} pairs an hour${forecast ? `; at that rate done by ${toTheSecond(forecast)}` : ''}`,
        ]
      : []),
    ...(parked > 0 ? [`${count(parked)} parked: see \`fonds research parked\``] : []),
  ]
}

const width = 40

const bar = (share: number): string => {
  const full = Math.floor(share * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** Never 100 % while something is left. */
const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`
