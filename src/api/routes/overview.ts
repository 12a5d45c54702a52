import { isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { lanesOf, needsOf } from '../../app/overview.ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { addMillis, HOUR } from '../../domain/kernel/time.ts'
import { type ApiContext, v1 } from '../context.ts'
import { json, type Route, route } from '../http/route.ts'
import { readFailed } from '../read-failed.ts'
import { timeOf } from '../time-of.ts'
import { timeNotFound, upToParameter, upToProblem } from '../up-to.ts'

const Amounts = t.type({ done: t.number, wrong: t.number, odd: t.number })

const Lane = t.type(
  {
    workflow: Text,
    /** A thing of its work, and several. */
    counts: t.tuple([Text, Text]),
    /** False: its work is not counted yet, and `runs`, `marks` and `days` tell nothing. */
    isCounted: t.boolean,
    /** Stretches of work without a longer pause than 20 minutes. */
    runs: t.readonlyArray(t.intersection([t.type({ from: Time, until: Time }), Amounts])),
    /** Ten minutes in which something went wrong, or is to be looked at. */
    marks: t.readonlyArray(t.type({ at: Time, wrong: t.number, odd: t.number })),
    days: t.readonlyArray(t.intersection([t.type({ day: Text }), Amounts])),
    /** Null as of the past, and while its views are being folded. */
    underWay: t.union([
      t.readonlyArray(
        t.intersection([
          t.type({ title: Text, page: Text, done: t.number, total: t.number }),
          t.partial({ until: Time }),
        ]),
      ),
      t.null,
    ]),
  },
  'OverviewLane',
)

const defaultHours = 18
const maxHours = 72
const maxDays = 366

/** Home: what ran of late, what goes on, what waits for a person. Nothing here reads more than some hundred rows of a workflow. */
export const overviewRoutes = ({ system }: Pick<ApiContext, 'system'>): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/overview`,
      operationId: 'overview',
      summary: 'What each workflow did of late and on the last days (UTC), and what it does now.',
      description:
        'Work is counted in tens of minutes. As of the past, the ten minutes under way then are left out if something was done in them later, ' +
        'and nothing is under way.',
      tags: ['operation'],
      parameters: [
        {
          name: 'hours',
          in: 'query',
          description: `So many hours back; ${defaultHours} unless said.`,
          codec: wholeNumber(maxHours, 1),
        },
        {
          name: 'days',
          in: 'query',
          description: 'So many days, today among them; 30 unless said.',
          codec: wholeNumber(maxDays, 1),
        },
        upToParameter,
      ],
      responses: {
        200: {
          description: 'The workflows, in the order of the rail.',
          codec: t.type({ at: Time, since: Time, lanes: t.readonlyArray(Lane) }),
        },
      },
      problems: [upToProblem],
    },
    async ({ parameters: { hours = defaultHours, days = 30, asOf } }) => {
      const problem = timeNotFound(system, asOf)
      if (problem) return problem
      const time = asOf ? await timeOf(system, asOf) : right(system.clock.now())
      if (isLeft(time)) return readFailed(time.left)
      const moment = { time: time.right, isPast: asOf !== undefined }
      const since = addMillis(moment.time, -hours * HOUR)
      return json({ at: moment.time, since, lanes: await lanesOf(system, { since, days, moment }) })
    },
  ),
  route(
    {
      method: 'get',
      path: `${v1}/overview/needs`,
      operationId: 'overviewNeeds',
      summary: 'How many things of each workflow wait for a person.',
      tags: ['operation'],
      parameters: [],
      responses: {
        200: {
          description: 'The workflows. Null where views are being folded: it is known once that is done.',
          codec: t.type({
            at: Time,
            /** Messages that could not be used. */
            messages: t.union([t.number, t.null]),
            needs: t.readonlyArray(t.type({ workflow: Text, needs: t.union([t.number, t.null]) })),
          }),
        },
      },
      problems: [],
    },
    async () => json({ at: system.clock.now(), ...(await needsOf(system)) }),
  ),
]
