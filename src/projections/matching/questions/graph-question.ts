import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import { GraphAnswer } from './answers.ts'
import { componentAnswer } from './component.ts'
import { toDot } from './dot.ts'
import { generation, work } from './fields.ts'
import { graphBlocks } from './graph-blocks.ts'
import { drawnGraph, withBridges, withMarks } from './picture-graph.ts'
import { askOfWorks, noSuchGeneration, noSuchWork } from './rejections.ts'
import { picture } from './svg.ts'

export const graphQuestion = question({
  name: 'graph',
  path: 'matching/graphs/{work}',
  summary: 'The works that are one with a work, and the links that say so.',
  description:
    'All works that links join to this one, and the deleted ones that would join them; with what each is shown as, ' +
    'and who states which link and why.',
  projection: matching,
  history: 'views',
  input: {
    work,
    generation,
    most: {
      description:
        'Most works, deleted and not described ones among them; of more, those nearest to the one asked for. 500 unless said.',
      ...whole(1, 1000),
    },
    radius: { description: 'Works so many links away at most.', ...whole(1, 1000) },
  },
  answer: GraphAnswer,
  returns: 'The graph.',
  rejections: {
    ...noSuchWork,
    ...noSuchGeneration,
    'not-to-be-drawn': { status: 422, description: 'It is too tangled for a picture.' },
  },
  ask: (views, { work, generation, most: maxWorks, radius }) =>
    askOfWorks(views, [work], generation, (of) => {
      const answer = componentAnswer(views, work, {
        ...of,
        ...(maxWorks !== undefined && { maxWorks }),
        ...(radius !== undefined && { radius }),
      })
      return answer && withMarks(views, answer, work)
    }),
  show: graphBlocks,
  pictures: [
    {
      format: 'svg',
      contentType: 'image/svg+xml',
      // Opened by itself, a picture may run and load nothing.
      policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      draw: async (answer, { asOf, input, views }) =>
        pipe(
          await picture(drawnGraph(views, answer, input), input.work, asOf),
          E.mapLeft((message) => ({
            code: 'not-to-be-drawn',
            message,
            hint: 'see --most and --format dot',
          })),
        ),
    },
    {
      format: 'dot',
      contentType: 'text/vnd.graphviz',
      draw: (answer, { asOf, views }) => E.right(toDot(withBridges(views, answer), asOf)),
    },
  ],
  examples: [
    ['graph h3xbcs2m', 'works and links as tables'],
    ['graph h3xbcs2m --output graph.svg', 'a picture for a browser, or for print'],
    ['graph h3xbcs2m --radius 2 --output near.svg', 'what is at most two links away'],
    ['graph h3xbcs2m --format dot | dot -Tpdf > graph.pdf', 'drawn by a Graphviz of your own'],
    ['graph h3xbcs2m --as-of 2026-01-31T12:00:00Z', 'as it was that noon'],
  ],
})
