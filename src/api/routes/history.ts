import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Found, type FoundBefore, historyBefore, historyOf, pageOf } from '../../app/event-reading.ts'
import { elsewhereOf } from '../../app/events-elsewhere.ts'
import { relatedThings } from '../../app/related-things.ts'
import { streamsNamed } from '../../app/streams-named.ts'
import type { System } from '../../app/system.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { Flag, wholeNumber } from '../../domain/kernel/text-codecs.ts'
import type { ReadFailure } from '../../ports/event-store.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { beforeParameter, fromParameter, Place } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { cutAt, earlierOf, upTo, upToParameter, upToProblem } from '../up-to.ts'

const Related = t.type({ id: Text, says: t.string })

/** The life of one thing across all workflows. */
export const historyRoutes = ({ system }: ApiContext): readonly Route[] => [historyRoute(system)]

const historyRoute = ({ eventStore, workflows, viewStore, adapters, config, personal }: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/history/{id}`,
      operationId: 'history',
      summary: 'Everything that ever happened to one thing, across workflows.',
      description:
        '`related` names the things whose lives concern it: the job that took it in, the archive file whose bytes lie where its own do, the files of an object. ' +
        'With `related=true` their events are among its own. Which these are is as of now, also with `asOf`.',
      tags: ['events'],
      parameters: [
        {
          name: 'id',
          in: 'path',
          description: 'What people call it.',
          codec: Text,
          example: 'main/letters/1912/03.tif',
        },
        fromParameter,
        beforeParameter,
        {
          name: 'related',
          in: 'query',
          description: 'Whether events of related things are told as well; not unless said.',
          codec: Flag,
        },
        {
          name: 'limit',
          in: 'query',
          description: 'Most events; 100 unless said.',
          codec: wholeNumber(1000, 1),
        },
        upToParameter,
      ],
      responses: {
        200: {
          description: 'Its events in the order they were taken, or the newest first.',
          codec: t.type({
            id: Text,
            streams: t.array(Text),
            related: t.array(Related),
            events: t.array(EventBody),
            next: Place,
            more: t.boolean,
          }),
        },
      },
      problems: [
        { status: 404, code: 'nothing-known', description: 'Nothing ever happened to it.' },
        { status: 410, code: 'stream-deleted', description: 'One of its streams was deleted for good.' },
        upToProblem,
      ],
    },
    async ({ parameters: { id, from = 0n, before, related: isWide = false, limit = 100, asOf } }) => {
      const last = await upTo({ eventStore, viewStore }, asOf)
      if (E.isLeft(last)) return last
      const related = await relatedThings({ workflows, viewStore, adapters }, id)
      const ids = [id, ...(isWide ? related.map((one) => one.id) : [])]
      const streams = await streamsNamed({ workflows, config, personal }, ...ids)
      const elsewhere = ids.flatMap((one) => elsewhereOf({ workflows, viewStore }, one))
      const page =
        before === undefined
          ? await forward(eventStore, streams, from, limit, elsewhere)
          : await backward(eventStore, streams, earlierOf(before, last.right), limit, elsewhere)
      if (E.isLeft(page)) return readFailed(page.left)
      const { events, next, more } = before === undefined ? cutAt(page.right, last.right) : page.right
      if (events.length === 0 && !more)
        return refuse(
          404,
          'nothing-known',
          `nothing ${from > 0n || (before ?? 'end') !== 'end' ? 'more ' : ''}is known of ${id}; looked in ${streams.join(', ') || 'no stream'}`,
        )
      return json(
        { id, streams, related, events, next, more },
        { next: more ? { [before === undefined ? 'from' : 'before']: next } : undefined },
      )
    },
  )

type Read<Mark> = (
  eventStore: System['eventStore'],
  streams: readonly string[],
  mark: Mark,
  limit: number,
  elsewhere: ReturnType<typeof elsewhereOf>,
) => Promise<
  E.Either<
    ReadFailure,
    { readonly events: readonly RecordedEvent[]; readonly next: bigint; readonly more: boolean }
  >
>

const forward: Read<bigint> = async (eventStore, streams, from, limit, elsewhere) =>
  E.map((found: Found) => pageOf(found, from, limit))(
    await historyOf(eventStore, streams, from, limit, elsewhere),
  )

const backward: Read<bigint | 'end'> = async (eventStore, streams, before, limit, elsewhere) =>
  E.map(({ events, before: next }: FoundBefore) => ({ events, next: next ?? -1n, more: next !== undefined }))(
    await historyBefore(eventStore, streams, before, limit, elsewhere),
  )
