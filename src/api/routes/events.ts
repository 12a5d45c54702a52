import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { pageOf, streamEvents } from '../../app/event-reading.ts'
import { eventsBefore } from '../../app/log-reading.ts'
import type { System } from '../../app/system.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import type { EventFilter } from '../../ports/event-store.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { beforeParameter, fromParameter, Place, Texts } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { type Handled, json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { eventsOfTypes } from '../typed-events.ts'
import { cutAt, earlierOf, upTo, upToParameter, upToProblem } from '../up-to.ts'
import { limit, streamRoute } from './stream.ts'

const tags = ['events']
/** Categories and types in one request. */
const maxNames = 100

const Page = t.type({ events: t.array(EventBody), next: Place, more: t.boolean })

/** The log, and a stream of it. */
export const eventRoutes = ({ system }: ApiContext): readonly Route[] => [
  logRoute(system),
  streamRoute(system),
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
        fromParameter,
        beforeParameter,
        limit,
        upToParameter,
      ],
      responses: { 200: { description: 'The events, and where to go on.', codec: Page } },
      problems: [
        { status: 410, code: 'stream-deleted', description: 'The stream was deleted for good.' },
        upToProblem,
      ],
    },
    async ({ parameters: { stream, category, type, from = 0n, before, limit = 100, asOf } }) => {
      const filter = { ...(category && { categories: category }), ...(type && { types: type }) }
      const names = (category?.length ?? 0) + (type?.length ?? 0)
      if (names > maxNames)
        return refuse(
          400,
          'wrong-parameter',
          `type: with category these are ${names}, and one question takes ${maxNames}; ask several`,
          { path: 'type' },
        )
      if (before !== undefined && stream !== undefined)
        return refuse(
          400,
          'wrong-parameter',
          `before: is for the whole log; ask GET ${v1}/streams/${encodeURIComponent(stream)}?direction=backward`,
          { path: 'before' },
        )
      const last = await upTo(system, asOf)
      if (isLeft(last)) return last
      if (before !== undefined) return pageBefore(system, filter, earlierOf(before, last.right), limit)
      return stream === undefined
        ? pageOfLog(system, filter, from, limit, last.right)
        : pageOfStream(system, stream, filter, from, limit, last.right)
    },
  )

const pageOfLog = async (
  system: System,
  filter: EventFilter,
  from: bigint,
  limit: number,
  last: bigint | undefined,
): Promise<Handled> => {
  const { categories, types } = filter
  const page = types
    ? await eventsOfTypes(system, { ...filter, types }, from - 1n, limit)
    : await system.eventStore.readAll(from - 1n, filter, limit)()
  if (isLeft(page)) return readFailed(page.left)
  const { events, position, caughtUp } = page.right
  const shown = categories || types ? events : events.filter((event) => !isLeaderEvent(event))
  return paged(cutAt({ events: shown, next: position + 1n, more: !caughtUp }, last))
}

const pageBefore = async (
  { eventStore }: System,
  { categories, types }: EventFilter,
  before: bigint | 'end',
  limit: number,
): Promise<Handled> => {
  const isChosen = categories !== undefined || types !== undefined
  const isWanted = (event: RecordedEvent) =>
    isChosen
      ? (categories?.includes(categoryOf(event.stream)) ?? true) && (types?.includes(event.type) ?? true)
      : !isLeaderEvent(event)
  const found = await eventsBefore(eventStore, before, limit, isWanted)
  if (isLeft(found)) return readFailed(found.left)
  const { events, before: next } = found.right
  return json(
    { events, next: next ?? -1n, more: next !== undefined },
    { next: next === undefined ? undefined : { before: next } },
  )
}

const pageOfStream = async (
  { eventStore }: System,
  stream: string,
  { categories, types }: EventFilter,
  from: bigint,
  limit: number,
  last: bigint | undefined,
): Promise<Handled> => {
  const isWanted = ({ stream, type }: RecordedEvent) =>
    (!categories || categories.includes(categoryOf(stream))) && (!types || types.includes(type))
  const found = await streamEvents(eventStore, stream, from, limit, isWanted)
  return isLeft(found) ? readFailed(found.left) : paged(cutAt(pageOf(found.right, from, limit), last))
}

const paged = <Page extends { readonly next: bigint; readonly more: boolean }>(page: Page) =>
  json(page, { next: page.more ? { from: page.next } : undefined })
