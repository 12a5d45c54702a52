import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { explain } from '../../domain/kernel/codecs.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import { sinceOf } from '../../domain/kernel/since.ts'
import type { Fates } from '../../domain/research/simulation/lease-fates.ts'
import { PolicyChanges, settings } from '../../processors/research/operator-inputs.ts'
import { leasesSince, readLeaseFacts } from '../../projections/research/lease-facts.ts'
import { type ApiContext, v1 } from '../context.ts'
import { schemaOf } from '../documents/json-schema.ts'
import type { ParameterSpec } from '../documents/route-spec.ts'
import { wholeNumber } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { asking, notReady } from './asking.ts'
import type { AskBoard } from './kept-board.ts'
import {
  mostLeases,
  type NextItems,
  proposedPolicy,
  type SimulationAnswer,
  simulationAnswer,
} from './simulate.ts'

/** What a command takes as JSON, as text in an address. */
const inAddress = <Codec extends t.Mixed>(codec: Codec): t.Type<t.TypeOf<Codec>, string, unknown> =>
  annotate(
    new t.Type<t.TypeOf<Codec>, string, unknown>(
      codec.name,
      codec.is,
      (text, context) => {
        const read = typeof text === 'string' ? parseJson(text) : undefined
        return codec.validate(read && !isLeft(read) ? read.right : text, context)
      },
      String,
    ),
    schemaOf(codec),
  )

const Since = annotate(
  t.refinement(
    t.string,
    (text) => sinceOf(text, new Date(0).toISOString()) !== undefined,
    'period (7d, 12h, 30min) or time with a zone',
  ),
  { examples: ['7d', '2026-01-31T12:00:00Z'] },
)

type Setting = keyof typeof settings
const names = Object.keys(settings) as readonly Setting[]

const counts = <Name extends string>(...all: readonly Name[]) =>
  t.type(Object.fromEntries(all.map((name) => [name, t.number])) as Record<Name, t.NumberC>)

const FatesCodec: t.Type<Fates, unknown> = t.type({
  items: counts('taken', 'lapsed', 'open', 'unknown'),
  leases: counts('ended', 'cutShort', 'abandoned', 'running'),
  lateReports: t.number,
  idleSeconds: t.number,
})

const NextCodec: t.Type<NextItems, unknown> = t.intersection([
  counts('items', 'pairs', 'waitingPairs', 'waitingClips'),
  t.type({ upcoming: t.readonlyArray(t.type({ episode: t.string, clips: t.number })) }),
  t.partial({ until: t.string }),
])

const numberOrNull = t.union([t.number, t.null])

const SimulationCodec: t.Type<SimulationAnswer, unknown> = t.type({
  at: t.string,
  since: t.string,
  settings: t.readonlyArray(t.type({ name: t.string, present: numberOrNull, proposed: numberOrNull })),
  past: t.type({ granted: t.number, lookedAt: t.number, actual: FatesCodec, proposed: FatesCodec }),
  next: t.type({ present: NextCodec, proposed: NextCodec }),
  notes: t.readonlyArray(t.string),
})

/** X14: what other settings would mean. Nothing is written. */
export const simulateRoute = (context: ApiContext, askBoard: AskBoard): Route => {
  const { eventStore, clock } = context.system
  return route(
    {
      method: 'get',
      path: `${v1}/research/simulate`,
      operationId: 'simulateResearchPolicy',
      summary:
        'What other settings would have meant for the leases of late, and what would be handed out next.',
      description:
        'Takes the settings that `research.set-policy` takes; what is not said stays as it is, `null` takes one away. Nothing is changed.',
      tags: ['research'],
      parameters: [
        ...names.map(
          (name): ParameterSpec => ({
            name,
            in: 'query',
            description: 'The setting, if it were this.',
            codec: inAddress(settings[name]),
          }),
        ),
        {
          name: 'since',
          in: 'query',
          description: 'Leases granted since: a time with a zone, or a period that ends now. 7d unless said.',
          codec: Since,
        },
        {
          name: 'count',
          in: 'query',
          description: 'So many of the next items; 5 unless said.',
          codec: wholeNumber(1000, 1),
        },
      ],
      responses: {
        200: {
          description: '`actual` and `present` beside `proposed`; `notes` are for people.',
          codec: SimulationCodec,
        },
      },
      problems: [
        { status: 400, code: 'incomplete', description: 'No setting is named.' },
        {
          status: 409,
          code: 'unfit-policy',
          description: 'The settings do not work together: `detail` says why.',
        },
        notReady,
      ],
    },
    async ({ parameters, signal }) => {
      const changes = PolicyChanges.decode(
        Object.fromEntries(
          names.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
        ),
      )
      if (isLeft(changes)) return refuse(400, 'incomplete', explain(changes.left))
      const at = clock.now()
      const policy = await askBoard(signal, (board) => proposedPolicy(board, changes.right, at))
      if (isLeft(policy)) return refuse(409, policy.left.code, policy.left.message)
      const since = sinceOf(parameters.since ?? '7d', at) ?? at
      const found = await asking(context)({ signal }, (views) => leasesSince(views, since, mostLeases))
      if (isLeft(found)) return found
      const { granted, latest } = found.right
      const leases = await readLeaseFacts(eventStore, latest, signal)
      return json(
        await askBoard(signal, (board) =>
          simulationAnswer(
            board,
            policy.right,
            { granted, leases },
            { at, since, most: parameters.count ?? 5 },
          ),
        ),
      )
    },
  )
}
