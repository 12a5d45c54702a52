import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { timelineOf } from '../../api/research/timeline.ts'
import { clock, timelineSvg } from '../../api/research/timeline-svg.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { type FindingScope, findings } from '../../projections/research/findings.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { formats } from '../output/format.ts'
import type { Column } from '../output/table.ts'
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
  { key: 'offset', title: 'at', show: (offset) => clock(Number(offset)) },
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
  const answer = await askResearch(session, asOf, (views: ViewStore) => findings(views, scope))
  return isLeft(answer) ? answer.left : tellRows(session, format, answer.right, columns)
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
  const answer = await askResearch(session, asOf, (views) => timelineOf(views, episode))
  if (isLeft(answer)) return answer.left
  if (answer.right === undefined)
    return refused(`there is no episode ${episode}`, '`fonds research episodes` lists them')
  const svg = timelineSvg(answer.right)
  if (output === undefined) return void (await session.output.write(svg))
  await writeFile(output, svg)
  session.say(`written to ${output}`)
  return undefined
}
