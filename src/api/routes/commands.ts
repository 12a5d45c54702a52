import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { dispatch } from '../../app/dispatch.ts'
import { closedSchemaOf } from '../../app/documents/json-schema.ts'
import type { ParameterSpec, ProblemSpec } from '../../app/documents/route-spec.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { ExecuteFailure } from '../../processors/runtime/execute.ts'
import { asksViews, type OperatorCommand, permissionFor } from '../../processors/runtime/operator-command.ts'
import { commandsOf, type Workflow } from '../../workflows/workflow.ts'
import { type ApiContext, v1 } from '../context.ts'
import { ActorField, actorOf, otherActor } from '../http/caller.ts'
import { away } from '../http/errors.ts'
import { IdempotencyKey, Place } from '../http/parameters.ts'
import { problem, refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { viewBehind, viewsUpToDate } from '../up-to-date.ts'

const tags = ['commands']

export const idempotencyKey = {
  name: 'idempotency-key',
  in: 'header',
  description: 'Names this wish for ever: sent again with the same key it has its effect once.',
  codec: IdempotencyKey,
  example: '0198c0de-0000-7000-8000-000000000001',
} as const satisfies ParameterSpec

export const Outcome = t.type({
  outcome: t.keyof({ done: null, unchanged: null, repeated: null }),
  stream: Text,
  position: Place,
})

export const rejected: ProblemSpec = {
  status: 409,
  description: 'The domain says no: `code` and `detail` say why.',
}

/** A person's commands, a route each; each needs an actor and a reason. */
export const commandRoutes = (context: ApiContext): readonly Route[] => {
  const { workflows } = context.system
  const commands = commandsOf(workflows)
  const list = route(
    {
      method: 'get',
      path: `${v1}/commands`,
      operationId: 'listCommands',
      summary: 'The commands and what they take.',
      tags,
      parameters: [],
      responses: {
        200: {
          description: 'All commands.',
          codec: t.type({
            commands: t.array(
              t.type({ name: Text, description: Text, input: t.UnknownRecord, example: t.UnknownRecord }),
            ),
          }),
        },
      },
      problems: [],
    },
    () =>
      json({
        commands: commands.map(({ name, description, codec, example }) => ({
          name,
          description,
          input: closedSchemaOf(codec),
          example: codec.encode(example),
        })),
      }),
  )
  return [
    list,
    ...workflows.flatMap((workflow) =>
      workflow.commands.map((command) => commandRoute(context, workflow, command)),
    ),
  ]
}

const commandRoute = (context: ApiContext, workflow: Workflow, command: OperatorCommand): Route =>
  route(
    {
      method: 'post',
      path: `${v1}/commands/${command.name}`,
      ...(command.formerName && { formerPath: `${v1}/commands/${command.formerName}` }),
      operationId: camelCase(command.formerName ?? command.name),
      summary: command.description,
      description: '`position` is what to ask views for with `after`, to see the effect.',
      tags,
      parameters: [idempotencyKey],
      requestBody: {
        description: 'What is wanted, who wants it and why.',
        codec: t.intersection([t.type({ input: command.codec, reason: Text }), ActorField]),
        example: {
          input: command.codec.encode(command.example),
          actor: 'r.vermeer',
          reason: 'a reader reported a torn page',
        },
      },
      responses: {
        200: { description: 'Done, true already, or done before under this key.', codec: Outcome },
      },
      problems: [
        rejected,
        otherActor,
        { status: 410, code: 'stream-deleted', description: 'What it is about was deleted for good.' },
        { status: 422, code: 'refused', description: 'The log does not take what it leads to.' },
        ...(command.rejection || command.resolve ? [viewBehind] : []),
      ],
      permission: permissionFor(command),
    },
    async ({ parameters, body: { input, reason, ...given }, caller, signal }) => {
      const actor = actorOf(caller, given.actor)
      if (isLeft(actor)) return actor
      const ready = asksViews(command, input)
        ? await viewsUpToDate(context, workflow.projections, signal)
        : right(undefined)
      if (isLeft(ready)) return ready
      const key = parameters['idempotency-key']
      const executed = await dispatch(context.system, command, input, { actor: actor.right, reason, key })
      if (isLeft(executed)) return left(executionProblem(executed.left))
      const result = executed.right
      return result.kind === 'rejected'
        ? refuse(409, result.rejection.code, result.rejection.message)
        : json({ outcome: result.kind, stream: result.stream, position: result.position })
    },
  )

const executionProblem = (failure: ExecuteFailure) => {
  switch (failure.kind) {
    case 'Unavailable':
      return away(failure.reason)
    case 'Contended':
      return away(`others wrote to ${failure.stream} ${failure.tries} times meanwhile`)
    case 'StreamDeleted':
      return problem(410, 'stream-deleted', `${failure.stream} is permanently deleted`)
    case 'Refused':
      return problem(422, 'refused', `the log refuses its events: ${failure.reason}`)
    case 'TooLarge':
      return problem(
        413,
        'too-large',
        `its events take ${failure.bytes} bytes, the log accepts ${failure.limit}`,
      )
  }
}

const camelCase = (name: string): string =>
  name.replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase())
