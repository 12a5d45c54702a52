import * as t from 'io-ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { anomalies } from '../../projections/research/anomalies.ts'
import { clipProgress } from '../../projections/research/clip-progress.ts'
import { decisions } from '../../projections/research/decisions.ts'
import { episodeProgress } from '../../projections/research/episode-progress.ts'
import { liveLeases } from '../../projections/research/live-leases.ts'
import { parked } from '../../projections/research/parked.ts'
import { researchers } from '../../projections/research/researchers.ts'
import { asJson, asOf } from '../ask-views.ts'
import { type ApiContext, v1 } from '../context.ts'
import { type Route, route } from '../http/route.ts'
import { busy } from '../past-views.ts'
import {
  AnomalyCodec,
  ClipCodec,
  DecisionCodec,
  EpisodeCodec,
  LeaseCodec,
  ParkedCodec,
  ResearcherCodec,
} from './answer-codecs.ts'
import { asking, limit, notReady } from './asking.ts'

/** A question whose answer is rows, under its own name. */
interface List {
  readonly name: string
  readonly operationId: string
  readonly summary: string
  readonly codec: t.Mixed
  readonly ask: (views: ViewStore, now: string, limit: number) => readonly object[]
}

const lists: readonly List[] = [
  {
    name: 'episodes',
    operationId: 'researchEpisodes',
    summary: 'How far each episode is, in the order in which they are handed out.',
    codec: EpisodeCodec,
    ask: (views, now, limit) => episodeProgress(views, now, { limit }),
  },
  {
    name: 'clips',
    operationId: 'researchClips',
    summary: 'In how many episodes each clip was looked for, and found.',
    codec: ClipCodec,
    ask: (views, _, limit) => clipProgress(views, { limit }),
  },
  {
    name: 'leases',
    operationId: 'researchLeases',
    summary: 'The active leases: who works on what, since when and until when.',
    codec: LeaseCodec,
    ask: (views, now, limit) => liveLeases(views, now).slice(0, limit),
  },
  {
    name: 'researchers',
    operationId: 'listResearchers',
    summary: 'Who is there, and what they did.',
    codec: ResearcherCodec,
    ask: (views, now, limit) => researchers(views, now).slice(0, limit),
  },
  {
    name: 'capacity',
    operationId: 'researchCapacity',
    summary: 'The last decisions on whether more work is put out, and why; the latest first.',
    codec: DecisionCodec,
    ask: (views, _, limit) => decisions(views, limit),
  },
  {
    name: 'parked',
    operationId: 'researchParked',
    summary: 'What failed too often and waits for a person, with the command that has it tried again.',
    codec: ParkedCodec,
    ask: (views, _, limit) => parked(views).slice(0, limit),
  },
  {
    name: 'anomalies',
    operationId: 'researchAnomalies',
    summary:
      'Results outside their lease, late or twice; results and failures of things unknown; media that changed or are double. The latest first.',
    codec: AnomalyCodec,
    ask: (views, _, limit) => anomalies(views, { limit }),
  },
]

export const listRoutes = (context: ApiContext): readonly Route[] => {
  const ask = asking(context)
  return lists.map(({ name, operationId, summary, codec, ask: question }) =>
    route(
      {
        method: 'get',
        path: `${v1}/research/${name}`,
        operationId,
        summary,
        tags: ['research'],
        parameters: [limit, asOf],
        responses: { 200: { description: 'Rows.', codec: t.type({ [name]: t.readonlyArray(codec) }) } },
        problems: [notReady, busy],
      },
      async ({ parameters: { limit = 1000, asOf }, signal }) =>
        asJson(await ask({ asOf, signal }, (views, now) => ({ [name]: question(views, now, limit) }))),
    ),
  )
}
