import * as t from 'io-ts'
import type { Board } from '../../domain/research/selection/board.ts'
import { ClipId, EpisodeId } from '../../domain/research/terms.ts'
import { asJson, asOf } from '../ask-views.ts'
import { type ApiContext, v1 } from '../context.ts'
import { wholeNumber } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { busy } from '../past-views.ts'
import { ofClip, ofEpisode } from './asking.ts'
import { type AskBoard, askPastBoard } from './kept-board.ts'
import { nextAnswer } from './next.ts'

const Reasons = t.readonlyArray(t.intersection([t.type({ kind: t.string }), t.UnknownRecord]))

/** What comes next, and why. */
export const nextRoute = (context: ApiContext, askBoard: AskBoard): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/research/next`,
      operationId: 'nextResearch',
      summary: 'What is handed out next, and why; why an episode or a pair is not.',
      tags: ['research'],
      parameters: [
        {
          name: 'count',
          in: 'query',
          description: 'So many items; 5 unless said.',
          codec: wholeNumber(1000, 1),
        },
        ofEpisode,
        ofClip,
        asOf,
      ],
      responses: {
        200: {
          description: 'Every `says` is a sentence for people.',
          codec: t.intersection([
            t.type({
              at: t.string,
              capacity: t.type({ researchers: t.number, queued: t.number, says: t.string }),
              upcoming: t.readonlyArray(t.type({ episode: EpisodeId, clips: t.readonlyArray(ClipId) })),
            }),
            t.partial({
              nothing: t.string,
              episode: t.intersection([
                t.type({ episode: EpisodeId, reasons: Reasons, says: t.readonlyArray(t.string) }),
                t.UnknownRecord,
              ]),
              pair: t.type({
                episode: EpisodeId,
                clip: ClipId,
                reasons: Reasons,
                says: t.readonlyArray(t.string),
              }),
            }),
          ]),
        },
      },
      problems: [
        { status: 400, code: 'incomplete', description: 'A clip is asked about in an episode: name both.' },
        busy,
      ],
    },
    async ({ parameters: { count = 5, episode, clip, asOf }, signal }) => {
      if (clip !== undefined && episode === undefined)
        return refuse(400, 'incomplete', 'a pair is a clip in an episode: say which with episode=')
      const ask = (board: Board, at: string) => nextAnswer(board, { at, most: count, episode, clip })
      return asOf
        ? asJson(await askPastBoard(context, asOf, signal, ask))
        : json(await askBoard(signal, (board) => ask(board, context.system.clock.now())))
    },
  )
