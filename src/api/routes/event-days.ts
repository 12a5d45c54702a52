import { isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { eventsByDayUpTo } from '../../app/events-by-day-up-to.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { addMillis, DAY } from '../../domain/kernel/time.ts'
import { logDays } from '../../domain/kernel/views.ts'
import { logIndex } from '../../projections/kernel/log-index.ts'
import { eventsByDay } from '../../projections/kernel/questions/events-by-day.ts'
import { type ApiContext, v1 } from '../context.ts'
import { Texts } from '../http/parameters.ts'
import { json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { timeOf } from '../time-of.ts'
import { upTo, upToParameter } from '../up-to.ts'
import { notReady, viewNotReady } from '../view-not-ready.ts'

const maxDays = 3660

/** How much happened on each of the last days. */
export const eventDayRoutes = ({ system }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/events/days`,
      operationId: 'eventsByDay',
      summary:
        'How many events of some types were recorded on each of the last days (UTC), now or as of a time.',
      tags: ['events'],
      parameters: [
        {
          name: 'type',
          in: 'query',
          description: 'Of these types.',
          codec: Texts,
          required: true,
          example: ['FileIndexed'],
        },
        {
          name: 'days',
          in: 'query',
          description: 'So many days, today among them; 14 unless said.',
          codec: wholeNumber(maxDays, 1),
        },
        upToParameter,
      ],
      responses: {
        200: {
          description: 'The days with such events, the oldest first.',
          codec: t.type({
            since: Text,
            days: t.readonlyArray(t.type({ day: Text, type: Text, events: t.number })),
          }),
        },
      },
      problems: [viewNotReady(logIndex)],
    },
    async ({ parameters: { type = [], days = 14, asOf } }) => {
      const { viewStore, clock } = system
      if (!viewStore.shape(logDays.name)) return notReady(logIndex)
      const last = await upTo(system, asOf)
      if (isLeft(last)) return last
      const now = asOf ? await timeOf(system, asOf) : right(clock.now())
      if (isLeft(now)) return readFailed(now.left)
      const since = addMillis(now.right, -(days - 1) * DAY).slice(0, 10)
      if (last.right === undefined) return json({ since, days: eventsByDay(viewStore, type, since) })
      const counted = await eventsByDayUpTo(system, type, since, last.right)
      return isLeft(counted) ? readFailed(counted.left) : json({ since, days: counted.right })
    },
  ),
]
