import * as t from 'io-ts'
import { headOf } from '../../app/lags.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { nullable } from '../http/nullable.ts'
import { Place } from '../http/parameters.ts'
import { json, type Route, route } from '../http/route.ts'
import { positionOf } from '../wait-for-views.ts'
import { Rebuild, rebuildAnswer } from './rebuilds.ts'

const Projection = t.type({
  projection: Text,
  description: t.string,
  version: t.number,
  views: t.array(Text),
  /** Null before its views were first folded. */
  position: nullable(Place),
  lag: nullable(Place),
  /** Progress of views that are rebuilt beside the live ones. */
  rebuilding: nullable(t.type({ version: t.number, position: Place })),
  /** Why it has stopped, in this process. */
  error: nullable(t.string),
  /** The current or last rebuild of the process that answers; null if it made none since it started. */
  rebuild: nullable(Rebuild),
})

/** Progress of views, rebuilds included. */
export const projectionRoutes = (context: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/projections`,
      operationId: 'listProjections',
      summary: 'The projections: how far each is, and what is folded anew.',
      tags: ['views'],
      parameters: [],
      responses: {
        200: {
          description: 'All projections.',
          codec: t.type({ head: Place, projections: t.array(Projection) }),
        },
      },
      problems: [],
    },
    async () => {
      const { workflows, viewStore } = context.system
      const head = await headOf(context.system)
      const status = context.running?.projections?.status() ?? []
      const building = viewStore.generations().filter((one) => one.status === 'building')
      return json({
        head,
        projections: projectionsOf(workflows).map(({ name, version, description, views }) => {
          const position = positionOf(context, name)
          const rebuilding = building.find(({ projection }) => projection === name)
          const rebuild = context.rebuilds.of(name)
          return {
            projection: name,
            description,
            version,
            views: views.map((view) => view.name),
            position: position ?? null,
            lag: position === undefined ? null : head > position ? head - position : 0n,
            rebuilding: rebuilding
              ? { version: rebuilding.version, position: rebuilding.checkpoint.position }
              : null,
            error: status.find(({ projection }) => projection === name)?.lastError ?? null,
            rebuild: rebuild ? rebuildAnswer(rebuild) : null,
          }
        }),
      })
    },
  ),
]
