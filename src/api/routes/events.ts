import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { historyOf, pageOf, streamEvents } from '../../app/event-reading.ts'
import { elsewhereOf } from '../../app/events-elsewhere.ts'
import type { System } from '../../app/system.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import type { EventFilter } from '../../ports/event-store.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { examplesFrom } from '../examples.ts'
import { Place, Position, Texts } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { type Handled, json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { eventsOfTypes } from '../typed-events.ts'

const tags = ['events']
const limit = {
  name: 'limit',
  in: 'query',
  description: 'Most events; 100 unless said.',
  codec: wholeNumber(1000, 1),
} as const

/** Categories and types in one request. */
const maxNames = 100

const Page = t.type({ events: t.array(EventBody), next: Place, more: t.boolean })

/** The log, a stream of it, and the life of one thing across all workflows. */
export const eventRoutes = ({ system }: ApiContext): readonly Route[] => [
  logRoute(system),
  streamRoute(system),
  historyRoute(system),
]

const logRoute = (system: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/events`,
      operationId: 'listEvents',
      summary: 'Events of the log, the oldest first.',
      description:
        'Go on with `from` = the `next` of the last answer while it says `more`: a page is short, or empty, where it took ' +
        'long to look. Events that only tell which process has a duty are left ' +
        'out unless asked for: `category=duty`.',
      tags,
      parameters: [
        { name: 'stream', in: 'query', description: 'Of this stream alone.', codec: Text },
        { name: 'category', in: 'query', description: 'Of these categories alone.', codec: Texts },
        { name: 'type', in: 'query', description: 'Of these types alone.', codec: Texts },
        { name: 'from', in: 'query', description: 'First position to look at.', codec: Position },
        limit,
      ],
      responses: { 200: { description: 'The events, and where to go on.', codec: Page } },
      problems: [{ status: 410, code: 'stream-deleted', description: 'The stream was deleted for good.' }],
    },
    async ({ parameters: { stream, category, type, from = 0n, limit = 100 } }) => {
      const filter = { ...(category && { categories: category }), ...(type && { types: type }) }
      const names = (category?.length ?? 0) + (type?.length ?? 0)
      if (names > maxNames)
        return refuse(
          400,
          'wrong-parameter',
          `type: with category these are ${names}, and one question takes ${maxNames}; ask several`,
          { path: 'type' },
        )
      return stream === undefined
        ? pageOfLog(system, filter, from, limit)
        : pageOfStream(system, stream, filter, from, limit)
    },
  )

const pageOfLog = async (
  system: System,
  filter: EventFilter,
  from: bigint,
  limit: number,
): Promise<Handled> => {
  const { categories, types } = filter
  const page = types
    ? await eventsOfTypes(system, { ...filter, types }, from - 1n, limit)
    : await system.eventStore.readAll(from - 1n, filter, limit)()
  if (isLeft(page)) return readFailed(page.left)
  const { events, position, caughtUp } = page.right
  const shown = categories || types ? events : events.filter((event) => !isLeaderEvent(event))
  return paged({ events: shown, next: position + 1n, more: !caughtUp })
}

const pageOfStream = async (
  { eventStore }: System,
  stream: string,
  { categories, types }: EventFilter,
  from: bigint,
  limit: number,
): Promise<Handled> => {
  const isWanted = ({ stream, type }: RecordedEvent) =>
    (!categories || categories.includes(categoryOf(stream))) && (!types || types.includes(type))
  const found = await streamEvents(eventStore, stream, from, limit, isWanted)
  return isLeft(found) ? readFailed(found.left) : paged(pageOf(found.right, from, limit))
}

const streamRoute = ({ eventStore, workflows }: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/streams/{stream}`,
      operationId: 'readStream',
      summary: 'The events of one stream.',
      tags,
      parameters: [
        {
          name: 'stream',
          in: 'path',
          description: 'Its name, `category-id`.',
          codec: Text,
          example: examplesFrom(workflows).stream,
        },
        { name: 'from', in: 'query', description: 'First revision.', codec: Position },
        {
          name: 'direction',
          in: 'query',
          description: 'Which way from there; forward unless said.',
          codec: t.keyof({ forward: null, backward: null }, 'forward or backward'),
        },
        limit,
      ],
      responses: {
        200: {
          description: 'Its events.',
          codec: t.type({ stream: Text, events: t.array(EventBody), more: t.boolean }),
        },
      },
      problems: [
        { status: 404, code: 'no-such-stream', description: 'The stream has no events, or none there.' },
        { status: 410, code: 'stream-deleted', description: 'It was deleted for good.' },
      ],
    },
    async ({ parameters: { stream, from, direction = 'forward', limit = 100 } }) => {
      const start = from ?? (direction === 'forward' ? 'start' : 'end')
      const read = await eventStore.read(stream, start, direction, limit + 1)()
      if (isLeft(read)) return readFailed(read.left)
      const events = read.right.slice(0, limit)
      if (events.length === 0)
        return refuse(404, 'no-such-stream', `${stream} has no events${from === undefined ? '' : ' there'}`)
      const behind = read.right[limit]
      return json(
        { stream, events, more: behind !== undefined },
        { next: behind && { from: behind.revision } },
      )
    },
  )

const historyRoute = ({ eventStore, workflows, viewStore }: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/history/{id}`,
      operationId: 'history',
      summary: 'Everything that ever happened to one thing, across workflows.',
      tags,
      parameters: [
        {
          name: 'id',
          in: 'path',
          description: 'What people call it.',
          codec: Text,
          example: 'main/letters/1912/03.tif',
        },
        { name: 'from', in: 'query', description: 'First position to look at.', codec: Position },
        limit,
      ],
      responses: {
        200: {
          description: 'Its events in the order they were taken.',
          codec: t.type({
            id: Text,
            streams: t.array(Text),
            events: t.array(EventBody),
            next: Place,
            more: t.boolean,
          }),
        },
      },
      problems: [
        { status: 404, code: 'nothing-known', description: 'Nothing ever happened to it.' },
        { status: 410, code: 'stream-deleted', description: 'One of its streams was deleted for good.' },
      ],
    },
    async ({ parameters: { id, from = 0n, limit = 100 } }) => {
      const streams = workflows.flatMap((workflow) => workflow.streamsOf(id))
      const elsewhere = elsewhereOf({ workflows, viewStore }, id)
      const found = await historyOf(eventStore, streams, from, limit, elsewhere)
      if (isLeft(found)) return readFailed(found.left)
      const page = pageOf(found.right, from, limit)
      if (page.events.length === 0 && !page.more)
        return refuse(
          404,
          'nothing-known',
          `nothing ${from > 0n ? 'more ' : ''}is known of ${id}; looked in ${streams.join(', ') || 'no stream'}`,
        )
      return paged({ id, streams, ...page })
    },
  )

const paged = <Page extends { readonly next: bigint; readonly more: boolean }>(page: Page) =>
  json(page, { next: page.more ? { from: page.next } : undefined })
