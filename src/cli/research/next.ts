import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type NextAnswer, nextAnswer } from '../../api/research/next.ts'
import { boardName, loadBoard, timeOf } from '../../processors/research/board-load.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { plural } from '../output/text.ts'
import { asOfOption, parsePoint } from '../point.ts'
import { askResearch, type SheetFormat, sheetFormatOption, tell, tellSheet } from './ask.ts'

interface NextFlags {
  readonly explain?: boolean
  readonly count: number
  readonly asOf?: string
  readonly format?: SheetFormat
}

export const registerNext = (research: Command, context: CliContext): void => {
  const command = research
    .command('next')
    .summary('what is handed out next, and why; why an episode or a pair is not')
    .argument('[episode]')
    .argument('[clip]')
    .option('--explain', 'say why the first one is first, and whether an item is put out at all')
    .option('--count <n>', 'so many items', positiveNumber, 5)
    .option(...asOfOption)
    .addOption(sheetFormatOption())
    .action(running(context, nextCommand))
  addExamples(command, [
    ['research next --explain', 'the next items, and why these'],
    ['research next tbtl-4611', 'why this episode is, or is not, next'],
    ['research next tbtl-4611 gurgle-17', 'why this clip is not looked for in it'],
    ['research next --as-of 2026-01-31T12:00:00Z', 'what was next that noon'],
  ])
}

const nextCommand = async (
  session: Session,
  episode: string | undefined,
  clip: string | undefined,
  { explain = false, count, asOf, format }: NextFlags,
): Promise<CliFailure | undefined> => {
  const point = asOf === undefined ? undefined : parsePoint(asOf)
  if (point && isLeft(point)) return usage(point.left)
  const { eventStore, snapshots, clock } = await session.system()
  const until = point?.right
  const loaded = await loadBoard(boardName, eventStore, snapshots, session.signal, until ? { until } : {})
  const at = until ? timeOf(until, loaded, clock.now()) : clock.now()
  const answer = nextAnswer(loaded.board, { at, most: count, episode, clip })
  const unknown = unknownIn(answer)
  if (unknown) {
    const { subject, id } = unknown
    const known = await askResearch(session, { [subject]: id, asOf }, () => undefined)
    if (isLeft(known)) return known.left
    return refused(
      `nobody has curated the ${subject} ${id}, though results name it`,
      `send ${subject}.curated on fonds.research.${subject}s: then they count`,
    )
  }
  return format === 'csv'
    ? tellSheet(session, nextRows(answer))
    : tell(session, format, answer, () => nextLines(answer, explain || episode !== undefined))
}

/** A row a pair, in the order in which they are handed out. */
const nextRows = ({ upcoming }: NextAnswer): readonly object[] =>
  upcoming.flatMap(({ episode, clips }, i) => clips.map((clip) => ({ item: i + 1, episode, clip })))

const unknownIn = ({ episode, pair }: NextAnswer) => {
  const isUnknown = ({ kind }: { readonly kind: string }) => kind === 'unknown' || kind === 'unknown-clip'
  if (episode?.reasons.some(isUnknown)) return { subject: 'episode', id: episode.episode } as const
  return pair?.reasons.some(isUnknown) ? ({ subject: 'clip', id: pair.clip } as const) : undefined
}

const nextLines = (
  { capacity, upcoming, nothing, episode, pair }: NextAnswer,
  explain: boolean,
): readonly string[] => [
  ...(pair ? pair.says : []),
  ...(explain && episode
    ? [
        ...episode.says,
        `${episode.episode}: priority ${episode.priority}${episode.pinned ? ', pinned' : ''}` +
          `${episode.firstCuratedAt ? `, first curated ${episode.firstCuratedAt}` : ''}; of ` +
          `${plural(episode.clips.total, 'clip')} ${episode.clips.researched} researched, ` +
          `${episode.clips.leased} leased, ${episode.clips.open} open`,
      ]
    : []),
  ...(explain ? [capacity.says] : []),
  nothing ?? 'Next:',
  ...upcoming.map(
    (choice, i) =>
      `  ${i + 1}. ${choice.episode}: ${plural(choice.clips.length, 'clip')}${someOf(choice.clips)}`,
  ),
]

const shown = 5

const someOf = (clips: readonly string[]): string =>
  ` (${clips.slice(0, shown).join(', ')}${clips.length > shown ? ', …' : ''})`
