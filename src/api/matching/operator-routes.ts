import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { compareGenerations } from '../../projections/matching/compare-generations.ts'
import { quality } from '../../projections/matching/quality.ts'
import { stuck } from '../../projections/matching/stuck.ts'
import { summary } from '../../projections/matching/summary.ts'
import { asJson } from '../ask-views.ts'
import { type ApiContext, v1 } from '../context.ts'
import { wholeNumber } from '../http/parameters.ts'
import { json, type Route, route } from '../http/route.ts'
import { Compared, Quality, Stuck, Summary } from './answer-codecs.ts'
import { asking, generation, limit, noSuchGeneration, notReady } from './asking.ts'
import { ofGeneration } from './unknown.ts'

const tags = ['matching']
const problems = [noSuchGeneration, notReady]

/** Is all as it should be, and is one generation what the other one is? */
export const operatorRoutes = (context: ApiContext): readonly Route[] => {
  const ask = asking(context)

  const summaryRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/summary`,
      operationId: 'matchingSummary',
      summary: 'How many works, links and graphs there are, how large they are, and what waits.',
      tags,
      parameters: [generation],
      responses: { 200: { description: 'Counts.', codec: Summary } },
      problems,
    },
    async ({ parameters: { generation }, signal }) =>
      asJson(
        await ask({ generations: [generation], signal }, (views) => summary(views, ofGeneration(generation))),
      ),
  )

  const stuckRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/stuck`,
      operationId: 'matchingStuck',
      summary: 'Updates that were accepted and cannot be seen, and graphs with something wrong at rest.',
      tags,
      parameters: [
        {
          name: 'allowedSeconds',
          in: 'query',
          description: 'How long an update may be on its way; 60 unless said.',
          codec: wholeNumber(1e9),
        },
        limit,
        generation,
      ],
      responses: {
        200: { description: 'The oldest first.', codec: t.type({ stuck: t.readonlyArray(Stuck) }) },
      },
      problems,
    },
    async ({ parameters: { allowedSeconds, limit, generation }, signal }) =>
      asJson(
        await ask({ generations: [generation], signal }, (views) => ({
          stuck: stuck(views, context.system.clock.now(), {
            ...ofGeneration(generation),
            ...(allowedSeconds !== undefined && { allowedSeconds }),
            ...(limit && { limit }),
          }),
        })),
      ),
  )

  const qualityRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/quality`,
      operationId: 'matchingQuality',
      summary: 'What somebody should look at in the catalogues: graphs held together by one link, and so on.',
      tags,
      parameters: [
        {
          name: 'alarmSize',
          in: 'query',
          description: 'Graphs of so many works or more; 1,000 unless said.',
          codec: wholeNumber(1e9, 1),
        },
        {
          name: 'hubSize',
          in: 'query',
          description: 'Ids that no source describes and so many works or more name; 10 unless said.',
          codec: wholeNumber(1e9, 1),
        },
        limit,
        generation,
      ],
      responses: {
        200: { description: 'The worst first.', codec: t.type({ quality: t.readonlyArray(Quality) }) },
      },
      problems,
    },
    async ({ parameters: { alarmSize, hubSize, limit, generation }, signal }) =>
      asJson(
        await ask({ generations: [generation], signal }, (views) => ({
          quality: quality(views, {
            ...ofGeneration(generation),
            ...(alarmSize && { alarmSize }),
            ...(hubSize && { hubSize }),
            ...(limit && { limit }),
          }),
        })),
      ),
  )

  const compareRoute = route(
    {
      method: 'get',
      path: `${v1}/matching/generations/compare`,
      operationId: 'compareGenerations',
      summary: 'How the documents of two generations differ.',
      tags,
      parameters: [
        { ...generation, name: 'first', description: 'A generation.', required: true },
        { ...generation, name: 'second', description: 'Another one.', required: true },
      ],
      responses: { 200: { description: 'Counts, and the first few that differ.', codec: Compared } },
      problems,
    },
    async ({ parameters: { first, second }, signal }) => {
      const known = await ask({ generations: [first, second], signal }, (views) => views)
      return isLeft(known) ? known : json(await compareGenerations(known.right, first, second))
    },
  )

  return [summaryRoute, stuckRoute, qualityRoute, compareRoute]
}
