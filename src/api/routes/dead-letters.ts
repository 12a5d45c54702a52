import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  type DeadLetterFailure,
  discardDeadLetter,
  groupDeadLetters,
  listDeadLetters,
  type Resolved,
  type ResolvedBy,
  retryDeadLetter,
  showDeadLetter,
} from '../../app/dead-letter-service.ts'
import type { ParameterSpec } from '../../app/documents/route-spec.ts'
import type { System } from '../../app/system.ts'
import { NonNegativeInteger, Text, Time } from '../../domain/kernel/codecs.ts'
import { deadLetterEvents } from '../../domain/kernel/dead-letter.ts'
import { wholeNumber } from '../../domain/kernel/text-codecs.ts'
import { letters } from '../../domain/kernel/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { deadLetters } from '../../projections/kernel/dead-letters.ts'
import { rowCodec } from '../../projections/runtime/row-codec.ts'
import type { AskAsOf } from '../context.ts'
import { type ApiContext, v1 } from '../context.ts'
import { ActorField, actorOf, otherActor } from '../http/caller.ts'
import { away } from '../http/errors.ts'
import { asOfParameter, Place } from '../http/parameters.ts'
import { problem } from '../http/refuse.ts'
import { type Handled, json, type Route, route } from '../http/route.ts'
import { busy, sayingFolded } from '../views-as-of.ts'
import { idempotencyKey, Outcome, rejected } from './commands.ts'

const tags = ['dead letters']
const DeadLettered = deadLetterEvents.specs.get('DeadLettered')!.codec
const Status = t.keyof({ waiting: null, retried: null, discarded: null }, 'waiting, retried or discarded')

const Letter = t.intersection([t.type({ id: Text, status: Status }), DeadLettered])

const id = { name: 'id', in: 'path', description: 'Its id.', codec: Text } as const satisfies ParameterSpec
const notFound = { status: 404, code: 'no-such-dead-letter', description: 'No dead letter has that id.' }

/** Messages that could not be used: shown, produced again, or discarded. */
export const deadLetterRoutes = ({ system, askAsOf }: ApiContext): readonly Route[] => [
  listRoute(system, askAsOf),
  groupsRoute(system, askAsOf),
  showRoute(system),
  resolveRoute(
    'retry',
    'Puts the message on its topic again: as it came, or with the value that a person put in the place of its own.',
    (id, by) => retryDeadLetter(system, id, by),
  ),
  resolveRoute('discard', 'Notes that it is not needed.', (id, by) => discardDeadLetter(system, id, by)),
]

const listRoute = (system: System, askAsOf: AskAsOf): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/dead-letters`,
      operationId: 'listDeadLetters',
      summary: 'Dead letters, the newest first.',
      tags,
      parameters: [
        { name: 'status', in: 'query', description: 'These alone.', codec: Status },
        {
          name: 'limit',
          in: 'query',
          description: 'Most of them; 100 unless said.',
          codec: wholeNumber(1000, 1),
        },
        { name: 'offset', in: 'query', description: 'How many to pass over.', codec: wholeNumber(1e12) },
        asOfParameter,
      ],
      responses: {
        200: {
          description: 'Rows of the view `dead-letters`.',
          codec: t.type({ deadLetters: t.array(rowCodec(letters)), more: t.boolean }),
        },
      },
      problems: [busy],
    },
    ({ parameters: { status, limit = 100, offset = 0, asOf }, signal }) => {
      const answerFrom = (viewStore: ViewStore): Handled => {
        const found = listDeadLetters({ viewStore }, { ...(status && { status }), limit: limit + 1, offset })
        if (isLeft(found)) return left(asProblem(found.left))
        const more = found.right.length > limit
        return json(
          { deadLetters: found.right.slice(0, limit), more },
          { next: more ? { offset: offset + limit } : undefined },
        )
      }
      return asOf
        ? askAsOf(deadLetters, asOf, signal, (views) => sayingFolded(views, answerFrom(views)))
        : answerFrom(system.viewStore)
    },
  )

const groupsRoute = (system: System, askAsOf: AskAsOf): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/dead-letters/groups`,
      operationId: 'groupDeadLetters',
      summary: 'Dead letters that wait, by reason and topic: how many, since when, and the newest of each.',
      tags,
      parameters: [asOfParameter],
      responses: { 200: { description: 'The groups, the largest first.', codec: Groups } },
      problems: [busy],
    },
    ({ parameters: { asOf }, signal }) => {
      const answerFrom = (viewStore: ViewStore): Handled => {
        const found = groupDeadLetters({ viewStore })
        return isLeft(found) ? left(asProblem(found.left)) : json({ groups: found.right })
      }
      return asOf
        ? askAsOf(deadLetters, asOf, signal, (views) => sayingFolded(views, answerFrom(views)))
        : answerFrom(system.viewStore)
    },
  )

const Groups = t.type({
  groups: t.array(
    t.type({
      reason: Text,
      topic: Text,
      count: NonNegativeInteger,
      first: Time,
      last: Time,
      example: rowCodec(letters),
    }),
  ),
})

const showRoute = (system: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/dead-letters/{id}`,
      operationId: 'showDeadLetter',
      summary: 'A dead letter whole, with the bytes that came.',
      tags,
      parameters: [id],
      responses: { 200: { description: 'The letter.', codec: Letter } },
      problems: [notFound],
    },
    async ({ parameters }) => {
      const found = await showDeadLetter(system, parameters.id)
      return isLeft(found) ? left(asProblem(found.left)) : json(found.right)
    },
  )

const resolveRoute = (
  verb: 'retry' | 'discard',
  summary: string,
  resolve: (id: string, by: ResolvedBy) => Promise<Either<DeadLetterFailure, Resolved>>,
): Route =>
  route(
    {
      method: 'post',
      path: `${v1}/dead-letters/{id}/${verb}`,
      operationId: `${verb}DeadLetter`,
      summary,
      tags,
      parameters: [id, idempotencyKey],
      requestBody: {
        description: 'Who wants it and why.',
        codec:
          verb === 'retry'
            ? t.intersection([t.type({ reason: Text }), t.partial({ actor: Text, edited: t.string })])
            : t.intersection([t.type({ reason: Text }), ActorField]),
        example: { actor: 'r.vermeer', reason: 'the producer was mended' },
      },
      responses: { 200: { description: 'Settled, now or before under this key.', codec: Settlement } },
      problems: [notFound, rejected, otherActor],
      permission: 'operate',
    },
    async ({ parameters, body, caller }): Promise<Handled> => {
      const actor = actorOf(caller, body.actor)
      if (isLeft(actor)) return actor
      const key = parameters['idempotency-key']
      const cause = key === undefined ? {} : { cause: `dead-letter.${verb}#${key}` }
      const resolved = await resolve(parameters.id, { ...body, ...cause, actor: actor.right })
      return isLeft(resolved) ? left(asProblem(resolved.left)) : json(resolved.right)
    },
  )

const Settlement = t.intersection([
  Outcome,
  t.partial({ placed: t.type({ topic: Text, partition: NonNegativeInteger, offset: Place }) }),
])

const asProblem = (failure: DeadLetterFailure) => {
  switch (failure.kind) {
    case 'NotFound':
      return problem(
        404,
        'no-such-dead-letter',
        `there is no dead letter ${failure.id}; GET ${v1}/dead-letters lists them`,
        { path: 'id' },
      )
    case 'Rejected':
      return problem(409, failure.rejection.code, failure.rejection.message)
    case 'NotTaken':
      return problem(409, 'not-taken', failure.reason)
    case 'Unavailable':
      return away(failure.reason)
  }
}
