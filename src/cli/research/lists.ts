import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { ViewStore } from '../../ports/view-store.ts'
import { anomalies } from '../../projections/research/anomalies.ts'
import { clipProgress } from '../../projections/research/clip-progress.ts'
import { decisions } from '../../projections/research/decisions.ts'
import { episodeProgress } from '../../projections/research/episode-progress.ts'
import { liveLeases } from '../../projections/research/live-leases.ts'
import { parked } from '../../projections/research/parked.ts'
import { researchers } from '../../projections/research/researchers.ts'
import { type CliContext, running } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import type { Column, Tone } from '../output/table.ts'
import { duration } from '../output/text.ts'
import { asOfOption } from '../point.ts'
import { askResearch, type RowsFormat, rowsFormatOption, tellRows, toTheSecond } from './ask.ts'

interface ListFlags {
  readonly limit: number
  readonly asOf?: string
  readonly format?: RowsFormat
}

/** A question whose answer is rows. */
interface List {
  readonly name: string
  readonly summary: string
  readonly example: string
  /** Where there is no row. */
  readonly none: string
  readonly ask: (views: ViewStore, now: string, limit: number) => readonly object[]
  readonly columns: readonly Column[]
}

const seconds = (value: unknown): string => (Number(value) > 0 ? duration(Number(value) * 1000) : '0 s')
const tones: Readonly<Record<string, Tone>> = {
  done: 'good',
  busy: 'good',
  idle: 'good',
  parked: 'bad',
  silent: 'bad',
  blocked: 'bad',
  lapsed: 'warning',
  draining: 'warning',
  excluded: 'warning',
  unknown: 'warning',
  withdrawn: 'quiet',
  gone: 'quiet',
}
const state: Column = { key: 'state', tone: (value) => tones[String(value)] }
const columns = (...names: readonly string[]): readonly Column[] => names.map((key) => ({ key }))

const lists: readonly List[] = [
  {
    name: 'episodes',
    summary: 'how far each episode is, in the order in which they are handed out',
    example: 'a line an episode',
    none: 'there is no episode yet: `fonds research add episodes <folder>` records sound files',
    ask: (views, now, limit) => episodeProgress(views, now, { limit }),
    columns: [
      ...columns('episode', 'title'),
      state,
      ...columns('priority', 'researched', 'leased', 'open', 'found'),
    ],
  },
  {
    name: 'clips',
    summary: 'in how many episodes each clip was looked for, and found',
    example: 'a line a clip',
    none: 'there is no clip yet: `fonds research add clips <folder>` records sound files',
    ask: (views, _, limit) => clipProgress(views, { limit }),
    columns: [
      ...columns('clip', 'title'),
      state,
      ...columns('priority', 'researched', 'open', 'found', 'occurrences'),
    ],
  },
  {
    name: 'leases',
    summary: 'who works on what, since when and until when',
    example: 'a line a lease that is active',
    none: 'no lease is active: `fonds research next --explain` says what is handed out next, or why nothing is',
    ask: (views, now, limit) => liveLeases(views, now).slice(0, limit),
    columns: [
      ...columns('lease', 'episode'),
      state,
      ...columns('researcher', 'clips', 'done', 'open'),
      { key: 'ageSeconds', title: 'age', show: seconds },
      { key: 'remainingSeconds', title: 'remaining', show: seconds },
    ],
  },
  {
    name: 'researchers',
    summary: 'who is there, and what they did',
    example: 'a line a researcher',
    none: 'no researcher was ever here: `fonds start` runs some, `fonds worker researcher` more',
    ask: (views, now, limit) => researchers(views, now).slice(0, limit),
    columns: [
      { key: 'researcher', leaveOut: 'middle' },
      state,
      ...columns('leases', 'results', 'found', 'failures'),
      { key: 'lastResultAt', title: 'last result', show: toTheSecond },
    ],
  },
  {
    name: 'capacity',
    summary: 'when items were put out or not, and why',
    example: 'the last decisions, the latest first',
    none: 'nothing was decided yet: `fonds start` hands out work',
    ask: (views, _, limit) => decisions(views, limit),
    columns: [
      { key: 'at', show: toTheSecond },
      ...columns('researchers', 'queued', 'position', 'added', 'says'),
    ],
  },
  {
    name: 'parked',
    summary: 'what failed too often and waits for a person, with the command that has it tried again',
    example: 'a line an episode, clip or pair',
    none: 'nothing is parked',
    ask: (views, _, limit) => parked(views).slice(0, limit),
    columns: [...columns('subject', 'episode', 'clip', 'failures', 'error', 'remedy')],
  },
  {
    name: 'anomalies',
    summary:
      'results outside their lease, late or twice; results and failures of things unknown; media that changed or are double',
    example: 'the latest first',
    none: 'nothing odd has happened',
    ask: (views, _, limit) => anomalies(views, { limit }),
    columns: [...columns('kind', 'times'), { key: 'at', show: toTheSecond }, ...columns('says')],
  },
]

export const registerLists = (research: Command, context: CliContext): void => {
  for (const { name, summary, example, none, ask, columns } of lists) {
    const command = research
      .command(name)
      .summary(summary)
      .option('--limit <n>', 'so many lines', positiveNumber, 1000)
      .option(...asOfOption)
      .addOption(rowsFormatOption())
      .action(
        running(context, async (session, { limit, asOf, format }: ListFlags) => {
          const answer = await askResearch(session, { asOf }, (views, now) => ask(views, now, limit))
          return isLeft(answer) ? answer.left : tellRows(session, format, answer.right, columns, none)
        }),
      )
    addExamples(command, [[`research ${name}`, example]])
  }
}
