import { setImmediate } from 'node:timers/promises'
import * as t from 'io-ts'
import { headOf } from '../../app/lags.ts'
import type { System } from '../../app/system.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import type { EventFilter } from '../../ports/event-store.ts'
import { projectionsOf } from '../../workflows/workflow.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { examplesFrom } from '../examples.ts'
import { Place, Position, Texts } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { type Route, route } from '../http/route.ts'
import { eventStream, frame } from '../http/server-sent-events.ts'
import { movedByFacts } from '../moved-by-facts.ts'
import { noSuchView, viewInPath } from '../path-names.ts'
import { viewPositions } from '../wait-for-views.ts'

const tags = ['changes']
const resume =
  'Each event has its position as `id`; a client that comes again with `Last-Event-ID` misses nothing. Lines that start with a colon only say that the line is alive.'

/** What happens, as it happens: server-sent events. */
export const changeRoutes = (context: ApiContext): readonly Route[] => [
  eventChangesRoute(context),
  viewChangesRoute(context),
]

const eventChangesRoute = ({ system, heartbeatMillis }: ApiContext): Route => {
  const { clock, eventStore, workflows } = system
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
      ],
      responses: {
        200: { description: 'A stream of events.', codec: EventBody, contentType: 'text/event-stream' },
      },
      problems: [],
    },
    async ({ parameters, signal }) => {
      const { category, type } = parameters
      const filter = { ...(category && { categories: category }), ...(type && { types: type }) }
      const after = parameters['last-event-id'] ?? parameters.after ?? (await headOf({ eventStore }))
      return eventStream(framesBehind(system, after, filter, signal), { clock, heartbeatMillis, signal })
    },
  )
}

const viewChangesRoute = (context: ApiContext): Route => {
  const { system, heartbeatMillis } = context
  const { clock, workflows } = system
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
        'One event at once and one whenever more was folded in, but not where only events came that tell which process has a duty. It says up to where, not what changed: ask the view.',
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
        : eventStream(viewFrames(context, view, projection, signal), { clock, heartbeatMillis, signal })
    },
  )
}

/** Many listeners are told the same events, as one process hands them on: each is written once. */
const eventFrames = new WeakMap<RecordedEvent, string>()

const eventFrame = (event: RecordedEvent): string => {
  const known = eventFrames.get(event)
  if (known !== undefined) return known
  const written = frame(event.position, event)
  eventFrames.set(event, written)
  return written
}

/** Of two texts to one listener who knows all, at least so long. */
const calmMillis = 100

async function* framesBehind(
  { eventStore, clock }: Pick<System, 'eventStore' | 'clock'>,
  after: bigint,
  filter: EventFilter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const { events, position, caughtUp } of eventStore.subscribe(after, filter, signal)) {
    const isChosen = filter.categories !== undefined || filter.types !== undefined
    const shown = isChosen ? events : events.filter((event) => !isLeaderEvent(event))
    // A batch may have scanned more than it holds: whoever resumes need not scan that again.
    const beyond = shown.at(-1)?.position === position ? '' : frame(position)
    yield shown.map(eventFrame).join('') + beyond
    // Catching up with a long log must not hold up other requests; what comes fast is told together.
    if (caughtUp) await clock.sleep(calmMillis, signal)
    else await setImmediate()
  }
}

async function* viewFrames(
  context: ApiContext,
  view: string,
  projection: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let before: bigint | undefined
  for await (const position of viewPositions(context, projection, signal)) {
    if (before === undefined || (await movedByFacts(context.system.eventStore, before, position)))
      yield frame(position, { view, position })
    before = position
  }
}
