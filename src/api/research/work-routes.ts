import * as t from 'io-ts'
import { WorkItem } from '../../domain/research/messages.ts'
import { ClipId, EpisodeId, ResearcherId } from '../../domain/research/terms.ts'
import { Away } from '../../ports/away.ts'
import { boardName, bringUp, type LoadedBoard, loadBoard } from '../../processors/research/board-load.ts'
import { describing } from '../../processors/research/describing.ts'
import { itemQueue } from '../../processors/research/items.ts'
import { type ApiContext, v1 } from '../context.ts'
import { wholeNumber } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { notReady, ofClip, ofEpisode } from './asking.ts'
import { nextAnswer } from './next.ts'

const tags = ['research']

const Reasons = t.readonlyArray(t.intersection([t.type({ kind: t.string }), t.UnknownRecord]))

/** What is handed out: what comes next and why, and the item for whoever asks. */
export const workRoutes = ({ system }: ApiContext): readonly Route[] => {
  const { eventStore, snapshots, clock, viewStore, execute } = system
  let kept: LoadedBoard | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: the board is brought up to date for one question after the other. */
  const withBoard = <A>(signal: AbortSignal, ask: (loaded: LoadedBoard) => A): Promise<A> => {
    const answer = last.then(async () => {
      const loaded = kept ?? (await loadBoard(boardName, eventStore, snapshots, signal))
      // What fails in the middle is begun anew.
      kept = undefined
      await bringUp(loaded, eventStore, signal)
      const found = ask(loaded)
      kept = loaded
      return found
    })
    last = answer.catch(() => undefined)
    return answer
  }

  const nextRoute = route(
    {
      method: 'get',
      path: `${v1}/research/next`,
      operationId: 'nextResearch',
      summary: 'What is handed out next, and why; why an episode or a pair is not.',
      tags,
      parameters: [
        {
          name: 'count',
          in: 'query',
          description: 'So many items; 5 unless said.',
          codec: wholeNumber(1000, 1),
        },
        ofEpisode,
        ofClip,
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
      ],
    },
    async ({ parameters: { count = 5, episode, clip }, signal }) =>
      clip !== undefined && episode === undefined
        ? refuse(400, 'incomplete', 'a pair is a clip in an episode: say which with episode=')
        : json(
            await withBoard(signal, ({ board }) =>
              nextAnswer(board, { at: clock.now(), most: count, episode, clip }),
            ),
          ),
  )

  const takeRoute = route(
    {
      method: 'post',
      path: `${v1}/research/items/take`,
      operationId: 'takeItem',
      summary: 'Takes the oldest item that waits, for a researcher that does not read the topic.',
      description:
        'The item is then this researcher’s until its deadline, which each result moves. Results go to the topic ' +
        '`fonds.research.results`. Researchers say on `fonds.research.researchers` that they are there.',
      tags,
      parameters: [],
      requestBody: {
        description: 'Who takes it.',
        codec: t.type({ researcher: ResearcherId }),
        example: { researcher: 'listener-1' },
      },
      responses: {
        200: { description: 'The item, as it is on `fonds.research.work-items`.', codec: WorkItem },
      },
      problems: [
        {
          status: 404,
          code: 'no-item',
          description: 'Nothing waits, or this researcher is blocked or draining: ask again in a while.',
        },
        notReady,
      ],
    },
    async ({ body: { researcher } }) => {
      if (!viewStore.shape('research-leases'))
        return refuse(503, 'view-not-ready', 'the views of research were never folded yet')
      const queue = itemQueue({
        execute,
        viewStore,
        clock,
        researcher,
        isAtHand: () => false,
        restsUntil: () => undefined,
        release: handedOut,
        fail: handedOut,
      })
      const [claimed] = await queue.take(1)
      if (!claimed)
        return refuse(404, 'no-item', `there is no item for ${researcher} now; ask again in a while`)
      const { task, deadline } = claimed
      const described = describing(viewStore)
      const item: WorkItem = {
        lease: task.lease,
        episode: described.episode(task.episode),
        clips: task.clips.map(({ id }) => described.clip(id)),
        notAfter: notAfterOf(task.lease),
        deadline,
      }
      return json(item)
    },
  )

  const notAfterOf = (lease: string): string => {
    const [row] = viewStore.query('research-leases', { where: [{ column: 'lease', is: '=', value: lease }] })
    if (typeof row?.notAfter !== 'string') throw new Away(`the views do not know the lease ${lease}`)
    return row.notAfter
  }

  return [nextRoute, takeRoute]
}

/** Whoever took it over HTTP reports on the topic. */
const handedOut = async (): Promise<void> => {}
