import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { toDot } from '../../api/matching/dot.ts'
import { picture } from '../../api/matching/svg.ts'
import { ofGeneration } from '../../api/matching/unknown.ts'
import type { ComponentAnswer } from '../../projections/matching/answers.ts'
import { componentAnswer } from '../../projections/matching/component.ts'
import { writeForPerson } from '../../system/file-modes.ts'
import { type CliContext, running, type Session } from '../context.ts'
import { addExamples } from '../examples.ts'
import { positiveNumber } from '../numbers.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { asOfOption } from '../point.ts'
import { askMatching, generationOption } from './ask.ts'
import { graphTable } from './graph-table.ts'

const formats = ['table', 'json', 'dot', 'svg'] as const
type Format = (typeof formats)[number]

interface GraphFlags {
  readonly asOf?: string
  readonly generation?: number
  readonly most?: number
  readonly format?: Format
  readonly output?: string
}

export const registerGraph = (matching: Command, context: CliContext): void => {
  const command = matching
    .command('graph')
    .summary('the works that are one with a work: list them, or draw them')
    .description(
      'All works that links join to this one, and the deleted ones that would join them; with what each is shown as, ' +
        'and who states which link and why.',
    )
    .argument('<work>')
    .option(...asOfOption)
    .addOption(
      new Option('--format <format>', 'table on a terminal, else json; or by the name of the file').choices([
        ...formats,
      ]),
    )
    .option('--output <file>', 'write it there')
    .option('--most <n>', 'most works; of more, those nearest to this one', positiveNumber)
    .addOption(generationOption())
    .action(running(context, graphCommand))
  addExamples(command, [
    ['matching graph h3xbcs2m', 'works and links as tables'],
    ['matching graph h3xbcs2m --output graph.svg', 'a picture for a browser, or for print'],
    ['matching graph h3xbcs2m --format dot | dot -Tpdf > graph.pdf', 'drawn by a Graphviz of your own'],
    ['matching graph h3xbcs2m --as-of 2026-01-31T12:00:00Z', 'as it was that noon'],
  ])
}

const graphCommand = async (
  session: Session,
  work: string,
  { asOf, generation, most, output, ...flags }: GraphFlags,
): Promise<CliFailure | undefined> => {
  const format = flags.format ?? formatFor(output, session.output.isTTY)
  if (format === undefined)
    return usage(
      `${output}: no format is known by that name`,
      `end it with one of .${formats.slice(1).join(', .')}, or say --format`,
    )
  if (format === 'svg' && output === undefined && session.output.isTTY)
    return usage('a picture is nothing to read on a terminal', '--output graph.svg writes it to a file')
  const answer = await askMatching(session, { works: [work], generations: [generation], asOf }, (views) =>
    componentAnswer(views, work, { ...ofGeneration(generation), ...(most && { most }) }),
  )
  if (isLeft(answer)) return answer.left
  const text = await written(session, answer.right, format, asOf)
  if (text === undefined || typeof text !== 'string') return text
  if (output === undefined) return void (await session.output.write(text))
  writeForPerson(output, text)
  session.say(`written to ${output}`)
  return undefined
}

const formatFor = (file: string | undefined, isTTY: boolean): Format | undefined => {
  if (file === undefined) return isTTY ? 'table' : 'json'
  const ending = extname(file).slice(1).toLowerCase()
  return ending === 'gv' ? 'dot' : formats.find((format) => format === ending)
}

const written = async (
  session: Session,
  answer: ComponentAnswer,
  format: Format,
  asOf: string | undefined,
): Promise<string | CliFailure> => {
  switch (format) {
    case 'table':
      return graphTable(answer, session.output)
    case 'json':
      return `${jsonText(answer)}\n`
    case 'dot':
      return toDot(answer, asOf)
    case 'svg': {
      const svg = await picture(answer, asOf)
      return isLeft(svg) ? refused(svg.left, 'see --most and --format dot') : svg.right
    }
  }
}
