import * as E from 'fp-ts/lib/Either.js'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { question } from '../../runtime/question.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import { research } from '../projection.ts'
import { Progress, ProgressRow } from './answers.ts'
import { progress } from './progress.ts'

export const progressQuestion = question({
  name: 'progress',
  summary: 'How much is done, how fast it goes, when it will be done.',
  projection: research,
  history: 'views',
  input: {},
  answer: Progress,
  returns: 'Of everything.',
  ask: (views, _, { now }) => E.right(progress(views, now)),
  rows: {
    row: ProgressRow,
    of: ({ rate, nextTries: [next], ...totals }) => [
      { ...totals, hourlyOverDay: rate.day, lastHour: rate.hour, ...(next && { nextTryAt: next.at }) },
    ],
  },
  show: (answer) => progressLines(answer),
  examples: [
    ['progress', 'of everything'],
    ['progress --as-of 2026-01-31T12:00:00Z', 'as it was that noon'],
  ],
})

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
    ...waitingLines(answer),
    ...(parked > 0 ? [`${count(parked)} parked: see \`fonds research parked\``] : []),
  ]
}

/** How many wait for their next try, when that is, and why. */
const waitingLines = ({ waiting, nextTries }: Progress): readonly string[] =>
  waiting === 0
    ? []
    : [
        `${count(waiting)} failed and ${waiting === 1 ? 'waits' : 'wait'} for the next try; the forecast leaves ${waiting === 1 ? 'it' : 'them'} out:`,
        ...nextTries.map(
          ({ subject, episode, clip, failures, error, at }) =>
            `  ${subject} ${[episode, clip].filter((id) => id !== undefined).join(' × ')}, at ${toTheSecond(at)}, after ${plural(failures, 'failure')}: ${error}`,
        ),
        ...(waiting > nextTries.length ? [`  and ${count(waiting - nextTries.length)} later`] : []),
      ]

const width = 40

const bar = (share: number): string => {
  const full = Math.floor(share * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** Never 100 % while something is left. */
const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`
