import * as t from 'io-ts'
import { WorkId } from '../../domain/matching/work.ts'
import { history } from '../../projections/matching/history.ts'
import { whatIf } from '../../projections/matching/what-if.ts'
import { why } from '../../projections/matching/why.ts'
import { asJson, asOf } from '../ask-views.ts'
import { type ApiContext, v1 } from '../context.ts'
import type { ParameterSpec } from '../documents/route-spec.ts'
import { type Route, route } from '../http/route.ts'
import { busy } from '../past-views.ts'
import { Turn, WhatIf, Why } from './answer-codecs.ts'
import {
  asking,
  generation,
  mostWorks,
  noSuchGeneration,
  noSuchWork,
  notReady,
  tooLarge,
  work,
} from './asking.ts'
import { ofGeneration } from './unknown.ts'

const tags = ['matching']

const named = <const Name extends string>(name: Name, description: string) =>
  ({ name, in: 'query', description, codec: WorkId, required: true }) as const satisfies ParameterSpec

/** Why works are one or are not, how they came to be, and what another link would change. */
export const workRoutes = (context: ApiContext): readonly Route[] => {
  const ask = asking(context)
  const problems = [noSuchWork, noSuchGeneration, notReady]

  const whyRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/why`,
      operationId: 'whyMatched',
      summary: 'Why two works are one, and which links alone hold them together; or since when they are not.',
      tags,
      parameters: [named('a', 'A work.'), named('b', 'Another one.'), asOf, generation],
      responses: { 200: { description: 'The way from one to the other.', codec: Why } },
      problems: [...problems, tooLarge, busy],
    },
    async ({ parameters: { a, b, asOf, generation }, signal }) =>
      asJson(
        await ask({ works: [a, b], generations: [generation], asOf, signal }, (views) =>
          why(views, a, b, { ...ofGeneration(generation), most: mostWorks }),
        ),
      ),
  )

  const historyRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/works/{work}/history`,
      operationId: 'matchingHistory',
      summary: 'Who joined and who left the graph of a work, when, and by which update.',
      tags,
      parameters: [work, generation],
      responses: {
        200: {
          description: 'The latest comes last; of more than 1,000 the earlier ones are left out.',
          codec: t.type({ work: WorkId, turns: t.readonlyArray(Turn) }),
        },
      },
      problems,
    },
    async ({ parameters: { work, generation }, signal }) =>
      asJson(
        await ask({ works: [work], generations: [generation], signal }, (views) => {
          const turns = history(views, work, ofGeneration(generation))
          return turns && { work, turns }
        }),
      ),
  )

  const whatIfRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/what-if`,
      operationId: 'whatIf',
      summary:
        'What would become of the works that a link concerns, if it were dropped or stated. Changes nothing.',
      tags,
      parameters: [
        {
          name: 'change',
          in: 'query',
          description: 'Drop the link, or add it.',
          codec: t.keyof({ drop: null, add: null }),
          required: true,
        },
        named('from', 'The work that states it.'),
        named('to', 'The work it names.'),
        generation,
      ],
      responses: { 200: { description: 'Graphs before and after.', codec: WhatIf } },
      problems: [...problems, tooLarge],
    },
    async ({ parameters: { change: kind, from, to, generation }, signal }) =>
      asJson(
        await ask({ works: [from], generations: [generation], signal }, (views) =>
          whatIf(views, { kind, from, to }, { ...ofGeneration(generation), most: mostWorks }),
        ),
      ),
  )

  return [whyRoute, historyRoute, whatIfRoute]
}
