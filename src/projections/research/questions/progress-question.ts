import * as E from 'fp-ts/lib/Either.js'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { question } from '../../runtime/question.ts'
import { toTheSecond } from '../../runtime/shown.ts'
import { research } from '../projection.ts'
import { type Parked, Progress, ProgressRow } from './answers.ts'
import { forecastLine } from './forecast.ts'
import { retryLine } from './parked.ts'
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
    of: ({ rate, recent, at, firstParked, forecast, noForecast, nextTries: [next], ...totals }) => [
      {
        ...totals,
        hourlyOverDay: rate.day,
        lastHour: rate.hour,
        lastDay: recent.pairs,
        ...(forecast !== undefined && { forecast }),
        ...(noForecast !== undefined && { noForecast }),
        ...(next && { nextTryAt: next.at }),
      },
    ],
  },
  show: (answer) => progressLines(answer),
  examples: [
    ['progress', 'of everything'],
    ['progress --as-of 2026-01-31T12:00:00Z', 'as it was that noon'],
  ],
})

export const progressLines = (answer: Progress): readonly string[] => {
  const { episodes, clips, pairs, researched, leased, open, found, episodesDone, rate } = answer
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
    ...(rate.day > 0 ? [`${count(Math.round(rate.day))} pairs an hour while it was worked on`] : []),
    ...(researched === pairs ? [] : [forecastLine(answer)]),
    ...waitingLines(answer),
    ...parkedLines(answer),
  ]
}

/** How many wait for their next try, when that is, and why. */
const waitingLines = ({ waiting, nextTries, at: now }: Progress): readonly string[] =>
  waiting === 0
    ? []
    : [
        `${count(waiting)} failed and ${waiting === 1 ? 'waits' : 'wait'} for the next try; the forecast leaves ${waiting === 1 ? 'it' : 'them'} out:`,
        ...nextTries.map(
          ({ at, ...one }) =>
            `  ${nameOf(one)}, ${at > now ? `next try at ${toTheSecond(at)}` : `its next try is due since ${toTheSecond(at)}`}, after ${plural(one.failures, 'failure')}: ${one.error}`,
        ),
        ...(nextTries[0]
          ? [`  \`${retryLine(nextTries[0])}\` tries ${waiting === 1 ? 'it' : 'the first'} now`]
          : []),
        ...(waiting > nextTries.length ? [`  and ${count(waiting - nextTries.length)} later`] : []),
      ]

const parkedLines = ({ parked, firstParked }: Progress): readonly string[] =>
  parked === 0
    ? []
    : [
        `${count(parked)} parked, with no next try until a person retries ${parked === 1 ? 'it' : 'them'}:`,
        ...firstParked.map(
          (one) =>
            `  ${nameOf(one)}, since ${toTheSecond(one.parkedAt)}, after ${plural(one.failures, 'failure')}: ${one.error}`,
        ),
        '  see `fonds research parked`',
      ]

const nameOf = ({ subject, episode, clip }: Pick<Parked, 'subject' | 'episode' | 'clip'>): string =>
  `${subject} ${[episode, clip].filter((id) => id !== undefined).join(' × ')}`

const width = 40

const bar = (share: number): string => {
  const full = Math.floor(share * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** Never 100 % while something is left. */
const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`
