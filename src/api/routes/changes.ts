import * as t from 'io-ts'
import { cachesOf } from '../../app/config/caches.ts'
import { headOf } from '../../app/lags.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { examplesFrom } from '../examples.ts'
import { Place, Position, Texts } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { type Route, route } from '../http/route.ts'
import { eventStream } from '../http/server-sent-events.ts'
import { liveEvents } from '../live-events.ts'
import { liveViews } from '../live-views.ts'
import { noSuchView, viewInPath } from '../path-names.ts'

const tags = ['changes']
const resume =
  'Each event has its position as `id`; a client that comes again with `Last-Event-ID` misses nothing. Lines that start with a colon only say that the line is alive.'

/** Changes as they happen: server-sent events. */
export const changeRoutes = (context: ApiContext): readonly Route[] => [
  eventChangesRoute(context),
  viewChangesRoute(context),
]

const eventChangesRoute = ({ system, heartbeatMillis }: ApiContext): Route => {
  const { clock, eventStore, workflows } = system
  const follow = liveEvents(system, cachesOf(system.config).steps)
  const { category } = examplesFrom(workflows)
  return route(
    {
      method: 'get',
      path: `${v1}/changes`,
      operationId: 'followEvents',
      summary: 'Events of the log as they come.',
      description: `${resume} Events that only tell which process has a duty are left out unless asked for: \`category=duty\`.`,
      tags,
      parameters: [
        {
          name: 'after',
          in: 'query',
          description:
            'Starts behind this position; `-1` for the whole log. Absent: only what comes from now on.',
          codec: Position,
        },
        {
          name: 'last-event-id',
          in: 'header',
          description: 'Where the client was: stronger than `after`.',
          codec: Position,
        },
        {
          name: 'category',
          in: 'query',
          description: 'Streams of these alone.',
          codec: Texts,
          ...(category !== undefined && { example: [category] }),
        },
        { name: 'type', in: 'query', description: 'Events of these alone.', codec: Texts },
        {
          name: 'newest',
          in: 'query',
          description:
            'Of what comes within half a second so many at most. An event of the type `left-out` precedes them: `{after, upTo, events}` says how many others lie behind one position and up to another. Absent: all come.',
          codec: wholeNumber(1000, 1),
        },
      ],
      responses: {
        200: { description: 'A stream of events.', codec: EventBody, contentType: 'text/event-stream' },
      },
      problems: [],
    },
    async ({ parameters, signal }) => {
      const { category, type, newest } = parameters
      const filter = { ...(category && { categories: category }), ...(type && { types: type }) }
      const wanted = { filter, ...(newest !== undefined && { newest }) }
      const after = parameters['last-event-id'] ?? parameters.after ?? (await headOf({ eventStore }))
      return eventStream(follow(wanted, after, signal), { clock, heartbeatMillis, signal })
    },
  )
}

const viewChangesRoute = (context: ApiContext): Route => {
  const { system, heartbeatMillis } = context
  const { clock, workflows } = system
  const follow = liveViews(context)
  const owner = new Map(
    projectionsOf(workflows).flatMap(({ name, views }) => views.map((view) => [view.name, name] as const)),
  )
  return route(
    {
      method: 'get',
      path: `${v1}/views/{view}/changes`,
      operationId: 'followView',
      summary: 'Says each time that a view has moved on.',
      description:
        'One event at once and one whenever more was folded in, ten a second at most, but not where only events came that tell which process has a duty. It says up to where, not what changed: ask the view.',
      tags,
      parameters: [viewInPath(workflows)],
      responses: {
        200: {
          description: 'A stream of positions.',
          codec: t.type({ view: Text, position: Place }),
          contentType: 'text/event-stream',
        },
      },
      problems: [noSuchView],
    },
    ({ parameters: { view }, signal }) => {
      const projection = owner.get(view)
      return projection === undefined
        ? refuse(404, 'no-such-view', `there is no view ${view}; there are ${[...owner.keys()].join(', ')}`, {
            path: 'view',
          })
        : eventStream(follow({ view, projection }, signal), { clock, heartbeatMillis, signal })
    },
  )
}
