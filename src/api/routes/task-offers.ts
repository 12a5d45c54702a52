import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { TaskOffer } from '../../workflows/task-offer.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { type ApiContext, v1 } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { viewBehind, viewsUpToDate } from '../up-to-date.ts'
import { notReady, viewNotReady } from '../view-not-ready.ts'
import { idempotencyKey } from './commands.ts'

/** A route for each kind of task that may be taken over HTTP. */
export const taskOfferRoutes = (context: ApiContext): readonly Route[] =>
  context.system.workflows.flatMap((workflow) =>
    (workflow.offers ?? []).map((offer) => offerRoute(context, workflow, offer)),
  )

const offerRoute = (context: ApiContext, { name }: Workflow, offer: TaskOffer): Route => {
  const { path, operationId, summary, description, projection, none } = offer
  const { system } = context
  return route(
    {
      method: 'post',
      path: `${v1}/${path}`,
      operationId,
      summary,
      description,
      tags: [name],
      parameters: [{ ...idempotencyKey, description: offer.repeats }],
      requestBody: { description: 'Who takes it.', codec: offer.who, example: offer.example },
      responses: { 200: { description: offer.returns, codec: offer.task } },
      problems: [{ status: 404, ...none }, viewNotReady(projection), viewBehind],
      permission: 'operate',
    },
    async ({ parameters, body, signal }) => {
      if (!system.viewStore.live(projection.name)) return notReady(projection)
      const key = parameters['idempotency-key']
      const ready = key === undefined ? right(undefined) : await viewsUpToDate(context, [projection], signal)
      if (isLeft(ready)) return ready
      const taken = await offer.take(system, body, key)
      return isLeft(taken) ? refuse(404, none.code, taken.left.message) : json(taken.right)
    },
  )
}
