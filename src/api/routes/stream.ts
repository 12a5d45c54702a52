import { isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { revisionAt } from '../../app/event-reading.ts'
import type { System } from '../../app/system.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import type { Point } from '../../ports/view-store.ts'
import { v1 } from '../context.ts'
import { EventBody } from '../event-bodies.ts'
import { examplesFrom } from '../examples.ts'
import { Position, pointInWords } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { upTo, upToParameter, upToProblem } from '../up-to.ts'

const tags = ['events']

export const limit = {
  name: 'limit',
  in: 'query',
  description: 'Most events; 100 unless said.',
  codec: wholeNumber(1000, 1),
} as const

/** The events of a stream. */
export const streamRoute = ({ eventStore, viewStore, workflows }: System): Route =>
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
        upToParameter,
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
        upToProblem,
      ],
    },
    async ({ parameters: { stream, from, direction = 'forward', limit = 100, asOf } }) => {
      const last = await upTo({ eventStore, viewStore }, asOf)
      if (isLeft(last)) return last
      const end = last.right === undefined ? undefined : await revisionAt(eventStore, stream, last.right + 1n)
      if (end && isLeft(end)) return readFailed(end.left)
      // The first revision that came later.
      const later = end?.right
      const start = startOf(direction, from, later)
      const read =
        start === undefined ? right([]) : await eventStore.read(stream, start, direction, limit + 1)()
      if (isLeft(read)) return readFailed(read.left)
      const found = read.right.filter(({ revision }) => later === undefined || revision < later)
      const events = found.slice(0, limit)
      if (events.length === 0)
        return refuse(404, 'no-such-stream', noEvents(stream, from !== undefined, asOf))
      const behind = found[limit]
      return json(
        { stream, events, more: behind !== undefined },
        { next: behind && { from: behind.revision } },
      )
    },
  )

/** Undefined: there is nothing to be read. */
const startOf = (
  direction: 'forward' | 'backward',
  from: bigint | undefined,
  later: bigint | undefined,
): bigint | 'start' | 'end' | undefined => {
  if (direction === 'forward') return from ?? 'start'
  if (later === undefined || (from !== undefined && from < later)) return from ?? 'end'
  return later > 0n ? later - 1n : undefined
}

const noEvents = (stream: string, isPart: boolean, asOf: Point | undefined): string => {
  return `${stream} has no events${isPart ? ' there' : ''}${asOf ? ` as of ${pointInWords(asOf)}` : ''}`
}
