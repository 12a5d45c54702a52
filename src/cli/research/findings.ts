import { type Command, Option } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { timelineOf } from '../../api/research/timeline.ts'
import { place, timelineSvg } from '../../api/research/timeline-svg.ts'
import { clipProgress } from '../../projections/research/clip-progress.ts'
import { episodeProgress } from '../../projections/research/episode-progress.ts'
import { type FindingScope, findings } from '../../projections/research/findings.ts'
import type { Views } from '../../projections/research/reading.ts'
import { writeForPerson } from '../../system/file-modes.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { formats } from '../output/format.ts'
import type { Column } from '../output/table.ts'
import { count, plural } from '../output/text.ts'
import { asOfOption } from '../point.ts'
import { askResearch, type RowsFormat, tellRows } from './ask.ts'

interface FindingsFlags {
  readonly clip?: string
  readonly episode?: string
  readonly limit: number
  readonly asOf?: string
  readonly format?: RowsFormat | 'svg'
  readonly output?: string
}

export const registerFindings = (research: Command, context: CliContext): void => {
  const command = research
    .command('findings')
    .summary('where clips were found: the timeline of an episode, the episodes of a clip')
    .argument('[words]', 'in the title or the id of the episode or the clip')
    .option('--episode <id>', 'the clips of this one, along its length')
    .option('--clip <id>', 'the episodes of this one')
    .option('--limit <n>', 'so many places', positiveNumber, 1000)
    .option(...asOfOption)
    .addOption(
      new Option('--format <format>', 'table on a terminal, else ndjson').choices([...formats, 'svg']),
    )
    .option('--output <file>', 'write the picture there')
    .action(running(context, findingsCommand))
  addExamples(command, [
    ['research findings gurgle', 'everything of that name'],
    ['research findings --episode tbtl-4611', 'its timeline'],
    [
      'research findings --episode tbtl-4611 --output timeline.svg',
      'as a picture for a browser, or for print',
    ],
    ['research findings --clip gurgle-17 --format csv', 'for a spreadsheet'],
  ])
}

const columns: readonly Column[] = [
  { key: 'episode' },
  { key: 'episodeTitle', title: 'title' },
  { key: 'offset', title: 'at', show: (offset) => place(Number(offset)) },
  { key: 'clip' },
  { key: 'clipTitle', title: 'title' },
  { key: 'score', show: (score) => Number(score).toFixed(3) },
  { key: 'link', leaveOut: 'middle' },
]

const findingsCommand = async (
  session: Session,
  text: string | undefined,
  { clip, episode, limit, asOf, format, output }: FindingsFlags,
): Promise<CliFailure | undefined> => {
  if (format === 'svg' || output !== undefined) return drawn(session, episode, asOf, output)
  const scope: FindingScope = {
    limit,
    ...(clip !== undefined && { clip }),
    ...(episode !== undefined && { episode }),
    ...(text !== undefined && { text }),
  }
  const answer = await askResearch(session, { asOf, episode, clip }, (views, now) => ({
    found: findings(views, scope),
    none: none(views, now, scope),
  }))
  return isLeft(answer)
    ? answer.left
    : tellRows(session, format, answer.right.found, columns, answer.right.none)
}

/** Not found is a result; not looked for is none (X10). */
const none = (views: Views, now: string, { episode, clip }: FindingScope): string => {
  const [of] =
    episode !== undefined
      ? episodeProgress(views, now, { episode })
      : clip !== undefined
        ? clipProgress(views, { clip })
        : []
  if (!of || (episode !== undefined && clip !== undefined))
    return 'no match: `fonds research progress` tells how much has been looked for'
  return episode !== undefined
    ? `no clip was found in ${episode}; ${count(of.researched)} of ${plural(of.pairs, 'clip')} ${of.researched === 1 ? 'was' : 'were'} looked for`
    : `${clip} was found in no episode; it was looked for in ${count(of.researched)} of ${plural(of.pairs, 'episode')}`
}

const drawn = async (
  session: Session,
  episode: string | undefined,
  asOf: string | undefined,
  output: string | undefined,
): Promise<CliFailure | undefined> => {
  if (episode === undefined) return usage('a picture is of one episode', '--episode <id> says which')
  if (output === undefined && session.output.isTTY)
    return usage('a picture is nothing to read on a terminal', '--output timeline.svg writes it to a file')
  const answer = await askResearch(session, { asOf, episode }, (views) => timelineOf(views, episode))
  if (isLeft(answer)) return answer.left
  const svg = timelineSvg(answer.right)
  if (output === undefined) return void (await session.output.write(svg))
  writeForPerson(output, svg)
  session.say(`written to ${output}`)
  return undefined
}
