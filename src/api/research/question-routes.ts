import { flatten, isLeft, map } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { ClipId, EpisodeId } from '../../domain/research/terms.ts'
import { type FindingScope, findings } from '../../projections/research/findings.ts'
import { pair } from '../../projections/research/pair.ts'
import { progress } from '../../projections/research/progress.ts'
import { asJson, asOf } from '../ask-views.ts'
import { type ApiContext, v1 } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { preferred } from '../http/representation.ts'
import { json, type Route, route, text } from '../http/route.ts'
import { busy } from '../past-views.ts'
import { OccurrenceCodec, PairCodec, ProgressCodec } from './answer-codecs.ts'
import {
  asking,
  episode,
  limit,
  noSuchClip,
  noSuchEpisode,
  notReady,
  ofClip,
  ofEpisode,
  orUnknown,
} from './asking.ts'
import { timelineOf } from './timeline.ts'
import { timelineSvg } from './timeline-svg.ts'

const tags = ['research']
const formats = ['application/json', 'image/svg+xml'] as const

/** How far it is, what was found where, and what became of one pair. */
export const questionRoutes = (context: ApiContext): readonly Route[] => {
  const ask = asking(context)

  const progressRoute = route(
    {
      method: 'get',
      path: `${v1}/research/progress`,
      operationId: 'researchProgress',
      summary: 'How much is done, how fast it goes, when it will be done.',
      tags,
      parameters: [asOf],
      responses: { 200: { description: 'Of everything.', codec: ProgressCodec } },
      problems: [notReady, busy],
    },
    async ({ parameters: { asOf }, signal }) => asJson(await ask({ asOf, signal }, progress)),
  )

  const findingsRoute = route(
    {
      method: 'get',
      path: `${v1}/research/findings`,
      operationId: 'researchFindings',
      summary: 'Where clips were found, each place with a link for a player.',
      tags,
      parameters: [
        {
          name: 'text',
          in: 'query',
          description: 'In the title or the id of the episode or the clip, in whatever case.',
          codec: t.string,
        },
        ofEpisode,
        ofClip,
        limit,
        asOf,
      ],
      responses: {
        200: { description: 'Places.', codec: t.type({ findings: t.readonlyArray(OccurrenceCodec) }) },
      },
      problems: [noSuchEpisode, noSuchClip, notReady, busy],
    },
    async ({ parameters: { text, episode, clip, limit, asOf }, signal }) => {
      const scope: FindingScope = {
        ...(text !== undefined && { text }),
        ...(episode !== undefined && { episode }),
        ...(clip !== undefined && { clip }),
        ...(limit !== undefined && { limit }),
      }
      const answer = await ask({ asOf, signal }, (views) =>
        map(() => ({ findings: findings(views, scope) }))(orUnknown(views, { episode, clip })),
      )
      return asJson(flatten(answer))
    },
  )

  const timelineRoute = route(
    {
      method: 'get',
      path: `${v1}/research/episodes/{episode}/timeline`,
      operationId: 'episodeTimeline',
      summary: 'The clips of an episode along its length.',
      description: 'As JSON or as a picture (SVG), by the Accept header.',
      tags,
      parameters: [episode, asOf],
      responses: {
        200: {
          description: 'By offset; durations and offsets are nanoseconds.',
          codec: t.type({
            episode: EpisodeId,
            title: t.string,
            duration: t.number,
            occurrences: t.readonlyArray(OccurrenceCodec),
          }),
          others: [{ contentType: 'image/svg+xml' }],
        },
      },
      problems: [
        noSuchEpisode,
        { status: 406, code: 'no-such-format', description: 'None of the accepted formats is made here.' },
        notReady,
        busy,
      ],
    },
    async ({ parameters: { episode, asOf }, headers: { accept }, signal }) => {
      const format = preferred(accept, formats)
      if (!format) return refuse(406, 'no-such-format', `accept: ask for one of ${formats.join(', ')}`)
      const answer = await ask({ asOf, signal }, (views) => ({
        known: orUnknown(views, { episode }),
        timeline: timelineOf(views, episode),
      }))
      if (isLeft(answer)) return answer
      const { known, timeline } = answer.right
      if (isLeft(known)) return known
      const headers = { vary: 'accept' }
      return format === 'application/json'
        ? json(timeline, { headers })
        : text(timelineSvg(timeline), format, {
            headers: { ...headers, 'content-security-policy': "default-src 'none'; sandbox" },
          })
    },
  )

  const pairRoute = route(
    {
      method: 'get',
      path: `${v1}/research/pair`,
      operationId: 'researchedPair',
      summary: 'Every result that one clip had in one episode, by which engine and researcher.',
      tags,
      parameters: [
        { name: 'episode', in: 'query', description: 'The episode.', codec: EpisodeId, required: true },
        { name: 'clip', in: 'query', description: 'The clip.', codec: ClipId, required: true },
        asOf,
      ],
      responses: {
        200: { description: 'The oldest first; none where nobody has looked.', codec: PairCodec },
      },
      problems: [noSuchEpisode, noSuchClip, notReady],
    },
    async ({ parameters: { episode, clip, asOf }, signal }) => {
      const answer = await pair(context.system.eventStore, episode, clip, asOf)
      if (answer.results.length > 0) return json(answer)
      const known = await ask({ signal }, (views) => orUnknown(views, { episode, clip }))
      return isLeft(known) ? known : isLeft(known.right) ? known.right : json(answer)
    },
  )

  return [progressRoute, findingsRoute, timelineRoute, pairRoute]
}
