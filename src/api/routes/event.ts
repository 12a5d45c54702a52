import { isLeft, map } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { relatedTo } from '../../app/log-reading.ts'
import type { System } from '../../app/system.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { EventBatch } from '../../ports/event-store.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { Position } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { upTo, upToParameter, upToProblem } from '../up-to.ts'

const tags = ['events']
/** Events on either side of the one. */
const maxRelated = 500

const position = {
  name: 'position',
  in: 'path',
  description: 'Its position in the log.',
  codec: Position,
  example: '1042',
} as const
const notFound = { status: 404, code: 'no-such-event', description: 'No event has that position.' }

/** One event, and those that it stands among. */
export const singleEventRoutes = ({ system }: ApiContext): readonly Route[] => [
  eventRoute(system),
  relatedRoute(system),
]

const eventRoute = ({ eventStore }: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/events/{position}`,
      operationId: 'showEvent',
      summary: 'One event.',
      tags,
      parameters: [position],
      responses: { 200: { description: 'The event.', codec: EventBody } },
      problems: [notFound],
    },
    async ({ parameters }) => {
      const found = await eventAt({ eventStore }, parameters.position)
      if (isLeft(found)) return readFailed(found.left)
      return found.right ? json(found.right) : noEvent(parameters.position)
    },
  )

const relatedRoute = ({ eventStore, viewStore }: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/events/{position}/related`,
      operationId: 'relatedEvents',
      summary:
        'What led to an event and what it led to: the events of its conversation, by their correlation id.',
      description:
        '`causationId` of each names the event, or the message, that led to it. At most 500 before it and 500 after it, out of 10,000 of the log on either side.',
      tags,
      parameters: [position, upToParameter],
      responses: {
        200: {
          description: 'The events, the oldest first, it among them.',
          codec: t.type({
            correlationId: Text,
            events: t.array(EventBody),
            /** False: older ones may be missing. */
            isFromStart: t.boolean,
            /** False: newer ones may be missing. */
            isToEnd: t.boolean,
          }),
        },
      },
      problems: [notFound, upToProblem],
    },
    async ({ parameters }) => {
      const found = await eventAt({ eventStore }, parameters.position)
      if (isLeft(found)) return readFailed(found.left)
      if (!found.right) return noEvent(parameters.position)
      const last = await upTo({ eventStore, viewStore }, parameters.asOf)
      if (isLeft(last)) return last
      const related = await relatedTo(eventStore, found.right, maxRelated)
      if (isLeft(related)) return readFailed(related.left)
      const { events, isToEnd, ...rest } = related.right
      const shown = events.filter(({ position }) => last.right === undefined || position <= last.right)
      const isCut = shown.length < events.length
      return json({
        correlationId: found.right.metadata.correlationId,
        ...rest,
        events: shown,
        isToEnd: isToEnd || isCut,
      })
    },
  )

const eventAt = async ({ eventStore }: Pick<System, 'eventStore'>, position: bigint) => {
  const page = await eventStore.readAll(position - 1n, {}, 1)()
  return map(({ events }: EventBatch) => events.find((event) => event.position === position))(page)
}

const noEvent = (position: bigint) =>
  refuse(404, 'no-such-event', `no event has the position ${position}; GET ${v1}/events lists them`, {
    path: 'position',
  })
