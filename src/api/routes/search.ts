import * as t from 'io-ts'
import { SearchAnswer } from '../../app/search/answer.ts'
import { findersOf, maxTextLength, search, whyNotText } from '../../app/search/search.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { type ApiContext, v1 } from '../context.ts'
import { LogPoint, Texts } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'

/** A codec of its own: all texts share `t.string`. */
const SearchText = annotate(new t.StringType(), { minLength: 1, maxLength: maxTextLength })

/** Search over everything. */
export const searchRoutes = ({ system }: Pick<ApiContext, 'system'>): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/search`,
      operationId: 'search',
      summary: 'Finds things of every kind by their id, its beginning, a path, a number or words of a title.',
      description:
        'Each hit has the command line that shows it, and the address of its page. Of each kind at most 1,000 are counted. ' +
        '`leftOut` says what could not be looked at.',
      tags: ['search'],
      parameters: [
        {
          name: 'text',
          in: 'query',
          description: 'What to look for: ids and paths in their own case, words in any.',
          codec: SearchText,
          required: true,
          example: 'main/letters/1912',
        },
        {
          name: 'kind',
          in: 'query',
          description: 'Of these kinds alone, as answers name them.',
          codec: Texts,
        },
        {
          name: 'limit',
          in: 'query',
          description: 'Most hits of a kind; 20 unless said.',
          codec: wholeNumber(100, 1),
        },
        { name: 'asOf', in: 'query', description: 'A time or a position of the past.', codec: LogPoint },
      ],
      responses: { 200: { description: 'The hits, by kind.', codec: SearchAnswer } },
      problems: [],
    },
    async ({ parameters: { text, kind, limit = 20, asOf }, signal }) => {
      const whyNot = whyNotText(text)
      if (whyNot !== undefined) return refuse(400, 'wrong-parameter', `text: ${whyNot}`, { path: 'text' })
      const kinds = (await findersOf(system)).map((finder) => finder.kind)
      const unknown = kind?.find((one) => !kinds.includes(one))
      if (unknown !== undefined)
        return refuse(
          400,
          'wrong-parameter',
          `kind: there is no kind ${unknown}; there are ${kinds.join(', ')}`,
          {
            path: 'kind',
          },
        )
      return json(await search(system, { text, kinds: kind, limit, asOf, signal }))
    },
  ),
]
