import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { logEnds, logMoment } from '../../app/log-moment.ts'
import { Time } from '../../domain/kernel/codecs.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { addMillis, millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { logTimes } from '../../domain/kernel/views.ts'
import { logIndex } from '../../projections/kernel/log-index.ts'
import { eventsOfStretches, type Span, spanOfLog } from '../../projections/kernel/questions/log-times.ts'
import { eventInShort } from '../../projections/runtime/changes.ts'
import { type ApiContext, v1 } from '../context.ts'
import { EventInShort } from '../event-bodies.ts'
import { nullable } from '../http/nullable.ts'
import { LogPoint } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { timeNotFound } from '../up-to.ts'
import { notReady, viewNotReady } from '../view-not-ready.ts'

const tags = ['events']

const Event = nullable(EventInShort)

/** The position of a moment in the log, and the number of events over time. */
export const eventTimeRoutes = (context: ApiContext): readonly Route[] => [
  momentRoute(context),
  timesRoute(context),
]

const momentRoute = ({ system }: ApiContext): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/events/moment`,
      operationId: 'eventsAround',
      summary: 'The last event at or before a moment, and its neighbours in the log.',
      description: 'Events that only tell which process has a duty are left out.',
      tags,
      parameters: [
        {
          name: 'at',
          in: 'query',
          description: 'A time or a position; now unless said.',
          codec: LogPoint,
        },
      ],
      responses: {
        200: {
          description: 'The events; null where there is none.',
          codec: t.type({
            event: Event,
            before: Event,
            after: Event,
            /** First and last event of the whole log. */
            first: Event,
            last: Event,
          }),
        },
      },
      problems: [viewNotReady(logIndex)],
    },
    async ({ parameters: { at } }) => {
      const problem = timeNotFound(system, at)
      if (problem) return problem
      const ends = await logEnds(system)
      if (isLeft(ends)) return readFailed(ends.left)
      const { first, last } = ends.right ?? {}
      const found = await logMoment(system, at ?? { position: last?.position ?? -1n })
      if (isLeft(found)) return readFailed(found.left)
      const { event, before, after } = found.right
      return json({
        event: brief(event),
        before: brief(before),
        after: brief(after),
        first: brief(first),
        last: brief(last),
      })
    },
  )

const brief = (event: RecordedEvent | undefined) => (event ? eventInShort(event) : null)

const timesRoute = ({ system: { viewStore } }: ApiContext): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/events/times`,
      operationId: 'eventsOverTime',
      summary: 'How many events were recorded when, in stretches of one length.',
      description: 'Out of an index: the log is not read. The index may be a little behind the log.',
      tags,
      parameters: [
        {
          name: 'since',
          in: 'query',
          description: 'To the second; from the first event on unless said.',
          codec: Time,
        },
        {
          name: 'until',
          in: 'query',
          description: 'To the second; up to the last unless said.',
          codec: Time,
        },
        {
          name: 'stretches',
          in: 'query',
          description: 'Most stretches; 100 unless said. None is shorter than a second.',
          codec: wholeNumber(1000, 1),
        },
      ],
      responses: {
        200: {
          description: 'All stretches in their order; none where there are no events.',
          codec: t.type({
            since: nullable(Time),
            /** The first second behind them. */
            until: nullable(Time),
            /** Length of each stretch; the last one may be shorter. */
            seconds: t.number,
            stretches: t.readonlyArray(t.type({ from: Time, events: t.number })),
          }),
        },
      },
      problems: [
        { status: 400, code: 'wrong-parameter', description: 'It ends before it begins.' },
        viewNotReady(logIndex),
      ],
    },
    ({ parameters: { since, until, stretches = 100 } }) => {
      if (!viewStore.shape(logTimes.name)) return notReady(logIndex)
      const log = spanOfLog(viewStore)
      if (!log) return json({ since: null, until: null, seconds: 1, stretches: [] })
      const span: Span = { since: second(since ?? log.since), until: second(until ?? log.until) }
      if (span.until <= span.since)
        return refuse(400, 'wrong-parameter', 'until: it must be at least a second behind since', {
          path: 'until',
        })
      const seconds = Math.ceil(millisBetween(span.since, span.until) / SECOND / stretches)
      return json({ ...span, seconds, stretches: eventsOfStretches(viewStore, span, seconds) })
    },
  )

const second = (time: string): string => `${addMillis(time, 0).slice(0, 19)}.000Z`
