import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { v7 as uuid } from 'uuid'
import { resultsTopic } from '../../domain/research/result-messages.ts'
import { ResearcherId } from '../../domain/research/terms.ts'
import { WorkItem } from '../../domain/research/work-item.ts'
import { Away } from '../../ports/away.ts'
import type { Claimed, TaskQueue } from '../../ports/task-queue.ts'
import { describing } from '../../processors/research/describing.ts'
import { type ItemTask, itemQueue } from '../../processors/research/items.ts'
import { research } from '../../projections/research/projection.ts'
import { reportOnTopic } from '../../system/report-on-topic.ts'
import { type ApiContext, v1 } from '../context.ts'
import { IdempotencyKey } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { viewBehind, viewsUpToDate } from '../up-to-date.ts'
import { notReady } from './asking.ts'

/** An item for whoever asks. */
export const takeRoute = (context: ApiContext): Route => {
  const { system } = context
  const { clock, viewStore, execute } = system

  const notAfterOf = (lease: string): string => {
    const [row] = viewStore.query('research-leases', { where: [{ column: 'lease', is: '=', value: lease }] })
    if (typeof row?.notAfter !== 'string') throw new Away(`the views do not know the lease ${lease}`)
    return row.notAfter
  }

  return route(
    {
      method: 'post',
      path: `${v1}/research/items/take`,
      operationId: 'takeItem',
      summary: 'Takes the oldest item that waits, for a researcher that does not read the topic.',
      description:
        'No two get the same one, and each time it is another one. An answer that was lost is had again by asking with ' +
        'the same `Idempotency-Key`: without one, the item is out of reach until its lease ends, so send one each time. ' +
        'The item is then this researcher’s until its deadline, which each result moves. Results go to the topic ' +
        '`fonds.research.results`. Researchers say on `fonds.research.researchers` that they are there.',
      tags: ['research'],
      parameters: [
        {
          name: 'idempotency-key',
          in: 'header',
          description:
            'Names this wish: sent again with the same key, a researcher gets the same item for as long as it has it, then another.',
          codec: IdempotencyKey,
          example: '0198c0de-0000-7000-8000-000000000001',
        },
      ],
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
        viewBehind,
      ],
    },
    async ({ parameters, body: { researcher }, signal }) => {
      if (!viewStore.shape('research-leases'))
        return refuse(503, 'view-not-ready', 'the views of research were never folded yet')
      const key = parameters['idempotency-key']
      if (key !== undefined) {
        const ready = await viewsUpToDate(context, [research], signal)
        if (isLeft(ready)) return ready
      }
      const queue = itemQueue({
        execute,
        viewStore,
        clock,
        researcher,
        wish: { id: key ?? uuid(), mayBeRepeated: key !== undefined },
        isAtHand: () => false,
        restsUntil: () => undefined,
        release: async ({ lease, episode }, reason) => {
          await reportOnTopic(system, resultsTopic, `fonds://take/${researcher}`, [
            {
              type: 'lease.released',
              data: { lease, episode, researcher, reason, releasedAt: clock.now() },
            },
          ])
        },
        fail: handedOut,
      })
      const claimed = await takeWhole(queue)
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
}

/** One that has something left to do; what was withdrawn meanwhile is given back. */
const takeWhole = async ({ take }: TaskQueue<ItemTask>): Promise<Claimed<ItemTask> | undefined> => {
  for (;;) {
    const [claimed] = await take(1)
    if (!claimed || (claimed.task.media && claimed.task.clips.length > 0)) return claimed
    await claimed.release('it was withdrawn')
  }
}

/** Whoever took it over HTTP reports on the topic. */
const handedOut = async (): Promise<void> => {}
