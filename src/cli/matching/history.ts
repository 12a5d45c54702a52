import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { ofGeneration } from '../../api/matching/unknown.ts'
import type { TurnLine } from '../../projections/matching/answers.ts'
import { history } from '../../projections/matching/history.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import type { CliFailure } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import type { Column } from '../output/table.ts'
import { count, plural } from '../output/text.ts'
import {
  askMatching,
  type Format,
  formatOption,
  generationOption,
  isJson,
  pastOf,
  toTheSecond,
} from './ask.ts'

interface HistoryFlags {
  readonly generation?: number
  readonly format?: Format
}

export const registerHistory = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('history')
    .summary('who joined and who left the graph of a work, when, and why')
    .description(
      'Each time the works that are one with this one became others, and the works whose update led to it. ' +
        '`fonds history <work>` shows every event of the record itself.',
    )
    .argument('<work>')
    .addOption(generationOption())
    .addOption(formatOption())
    .action(running(context, historyCommand))
  addExamples(command, [['matching history h3xbcs2m', 'joins and splits, the oldest first']])
}

const historyCommand = async (
  session: Session,
  work: string,
  { generation, format }: HistoryFlags,
): Promise<CliFailure | undefined> => {
  const found = await askMatching(session, { works: [work], generations: [generation] }, (views) => {
    const turns = history(views, work, ofGeneration(generation))
    return turns && { turns, past: pastOf(views, generation) }
  })
  if (isLeft(found)) return found.left
  const { turns, past } = found.right
  if (isJson(session, format)) {
    await writeRows(session.output, [turns.map((turn) => ({ ...turn }))], { format: 'ndjson' })
    return undefined
  }
  const rows = turns.map((turn) => ({ ...turn, happened: inWords(turn) }))
  await writeRows(session.output, [rows], { format: 'table', columns })
  for (const line of past) session.say(line)
  return undefined
}

const columns: readonly Column[] = [
  { key: 'at', title: 'when', show: toTheSecond },
  { key: 'happened', title: 'what happened' },
  { key: 'size', title: 'works' },
  { key: 'causes', title: 'by the update of', show: (causes) => (causes as readonly string[]).join(', ') },
]

const inWords = ({ what, size, count: moved, some }: TurnLine): string => {
  const others = size - 1
  const beside = others > 0 ? `with ${plural(others, 'other')}` : 'alone'
  switch (what) {
    case 'first':
      return `came, ${beside}`
    case 'joined':
      return `joined ${plural(others, 'other')}`
    case 'left':
      return `left, and is ${beside}`
    case 'gained':
      return `${plural(moved, 'work')} joined: ${named(some, moved)}`
    case 'lost':
      return `${plural(moved, 'work')} left: ${named(some, moved)}`
  }
}

const named = (some: readonly string[], all: number): string =>
  `${some.join(', ')}${all > some.length ? ` and ${count(all - some.length)} more` : ''}`
