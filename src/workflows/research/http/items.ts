import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { v7 as uuid } from 'uuid'
import { UnavailableError } from '../../../async/unavailable.ts'
import { is, row } from '../../../domain/kernel/read-views.ts'
import type { Rejection } from '../../../domain/kernel/rejection.ts'
import type { ItemTask } from '../../../domain/research/item-task.ts'
import { resultsTopic } from '../../../domain/research/result-messages.ts'
import { ResearcherId } from '../../../domain/research/terms.ts'
import { leases } from '../../../domain/research/views.ts'
import { WorkItem } from '../../../domain/research/work-item.ts'
import type { Claimed, TaskQueue } from '../../../ports/task-queue.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { createItemDescriptions } from '../../../processors/research/item-descriptions.ts'
import { itemQueue } from '../../../processors/research/items.ts'
import { research } from '../../../projections/research/projection.ts'
import { reportOnTopic } from '../../../workers/runtime/report-on-topic.ts'
import { taskOffer } from '../../task-offer.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { researcherInLog } from '../known-names.ts'

/** Takes an item for a researcher that does not read the topic of items. */
export const itemOffer = taskOffer({
  path: 'research/items/take',
  operationId: 'takeItem',
  summary: 'Takes the oldest item that waits, for a researcher that does not read the topic.',
  description:
    'No two get the same one, and each time it is another one. An answer that was lost is had again by asking with ' +
    'the same `Idempotency-Key`: without one, the item is out of reach until its lease ends, so send one each time. ' +
    'The item is then this researcher’s until its deadline, which each result moves. Results go to the topic ' +
    '`fonds.research.results`. Researchers say on `fonds.research.researchers` that they are there.',
  repeats:
    'Names this wish: sent again with the same key, a researcher gets the same item for as long as it has it, then another.',
  who: t.type({ researcher: ResearcherId }),
  example: { researcher: 'listener-1' },
  task: WorkItem,
  returns: 'The item, as it is on `fonds.research.work-items`.',
  none: {
    code: 'no-item',
    description: 'Nothing waits, or this researcher is blocked or draining: ask again in a while.',
  },
  projection: research,
  take: async (context, { researcher }, key): Promise<Either<Pick<Rejection, 'message'>, WorkItem>> => {
    const claimed = await takeWhole(await queueFor(context, researcher, key))
    return claimed
      ? right(asItem(context.viewStore, claimed))
      : left({ message: `there is no item for ${researcher} now; ask again in a while` })
  },
})

const queueFor = async (
  context: WorkflowContext,
  given: string,
  key: string | undefined,
): Promise<TaskQueue<ItemTask>> => {
  const { execute, viewStore, clock } = context
  const { researcher, formerly } = await researcherInLog(context)(given)
  return itemQueue({
    execute,
    viewStore,
    clock,
    researcher,
    inLog: async () => ({ researcher, formerly }),
    wish: { id: key ?? uuid(), mayBeRepeated: key !== undefined },
    isAtHand: () => false,
    restsUntil: () => undefined,
    release: async ({ lease, episode }, reason, { correlationId }) => {
      await reportOnTopic(context, resultsTopic, `fonds://take/${researcher}`, [
        {
          type: 'lease.released',
          correlationId,
          data: { lease, episode, researcher: given, reason, releasedAt: clock.now() },
        },
      ])
    },
    // A researcher that took it over HTTP reports on the topic.
    fail: async () => {},
  })
}

/** Takes an item with something left to research. One whose episode or clips were withdrawn meanwhile is released. */
const takeWhole = async ({ take }: TaskQueue<ItemTask>): Promise<Claimed<ItemTask> | undefined> => {
  for (;;) {
    const [claimed] = await take(1)
    if (!claimed || (claimed.task.media && claimed.task.clips.length > 0)) return claimed
    await claimed.release('it was withdrawn')
  }
}

const asItem = (viewStore: ViewStore, { task, deadline }: Claimed<ItemTask>): WorkItem => {
  const described = createItemDescriptions(viewStore)
  const known = row(viewStore, leases, is('lease', task.lease))
  if (!known) throw new UnavailableError(`the views do not know the lease ${task.lease}`)
  return {
    lease: task.lease,
    episode: described.episode(task.episode),
    clips: task.clips.map(({ id }) => described.clip(id)),
    notAfter: known.notAfter,
    deadline,
  }
}
