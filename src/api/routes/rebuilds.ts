import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ParameterSpec, ProblemSpec } from '../../app/documents/route-spec.ts'
import type { Rebuild as AnyRebuild } from '../../app/rebuild-state.ts'
import { NonNegativeInteger, Text, Time } from '../../domain/kernel/codecs.ts'
import { projectionsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { ActorField, actorOf, otherActor } from '../http/caller.ts'
import { nullable } from '../http/nullable.ts'
import { Place } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'

const Difference = t.type({
  view: t.string,
  /** Keys whose rows are not the same. */
  rows: NonNegativeInteger,
  /** A few rows that the live view alone has. */
  onlyLive: t.readonlyArray(t.UnknownRecord),
  /** A few rows that the log says should be there. */
  onlyRebuilt: t.readonlyArray(t.UnknownRecord),
})

export const Rebuild = t.type({
  state: t.keyof({
    folding: null,
    comparing: null,
    overtaking: null,
    replaced: null,
    different: null,
    failed: null,
    stopped: null,
  }),
  verify: t.boolean,
  promote: t.boolean,
  actor: t.string,
  reason: t.string,
  startedAt: Time,
  endedAt: nullable(Time),
  /** Folded up to here; -1 before the first event. */
  position: Place,
  /** Where the log ended when it began. */
  end: Place,
  events: NonNegativeInteger,
  /** Null where rows were not compared. */
  differences: nullable(t.readonlyArray(Difference)),
  error: nullable(t.string),
})

/** Differences say on which side a row is. */
export const rebuildAnswer = ({ differences, projection: _, ...rest }: AnyRebuild) => ({
  ...rest,
  differences:
    differences?.map(({ view, rows, onlyInFirst, onlyInSecond }) => ({
      ...{ view, rows },
      onlyLive: onlyInFirst,
      onlyRebuilt: onlyInSecond,
    })) ?? null,
})

const tags = ['views']

const projection = {
  name: 'projection',
  in: 'path',
  description: 'Its name, as `GET /api/v1/projections` has it.',
  codec: Text,
  example: 'log-index',
} as const satisfies ParameterSpec

const unknown: ProblemSpec = {
  status: 404,
  code: 'no-such-projection',
  description: 'There is no projection of that name.',
}

/** Views are folded anew beside the live ones, which answer until the new ones take their place. */
export const rebuildRoutes = (context: ApiContext): readonly Route[] => {
  const projections = projectionsOf(context.system.workflows)
  const named = (name: string) => projections.find((one) => one.name === name)
  const notFound = (name: string) =>
    refuse(404, 'no-such-projection', `there is no projection ${name}; GET ${v1}/projections lists them`, {
      path: 'projection',
    })

  const start = route(
    {
      method: 'post',
      path: `${v1}/projections/{projection}/rebuild`,
      operationId: 'startRebuild',
      summary: 'Folds the views of a projection anew from the log, in the process that answers.',
      description:
        'The live views answer until the new ones take their place. With `verify` rows are compared first; where they differ, the ' +
        'live ones stay, unless `promote` says otherwise: the log is the truth. One is done at a time. How far it is, and what came ' +
        'of it, is in `rebuild` of `GET /api/v1/projections`. It ends with the process. Who wanted it, why, and how it ended stays in the log: ' +
        'the stream `projection-<name>`.',
      tags,
      parameters: [projection],
      requestBody: {
        description: 'What is wanted, who wants it and why.',
        codec: t.intersection([
          t.type({ reason: Text }),
          t.partial({ actor: Text, verify: t.boolean, promote: t.boolean }),
        ]),
        example: { actor: 'r.vermeer', reason: 'a count looks wrong', verify: true },
      },
      responses: { 200: { description: 'It is begun.', codec: t.type({ rebuild: Rebuild }) } },
      problems: [
        unknown,
        otherActor,
        { status: 409, code: 'rebuild-under-way', description: 'This process does one: wait, or stop it.' },
      ],
      permission: 'administer',
    },
    async ({
      parameters: { projection: name },
      body: { reason, verify = false, promote = false, ...given },
      caller,
    }) => {
      const found = named(name)
      if (!found) return notFound(name)
      const actor = actorOf(caller, given.actor)
      if (isLeft(actor)) return actor
      const begun = await context.rebuilds.start(found, { actor: actor.right, reason, verify, promote })
      if (!isLeft(begun)) return json({ rebuild: rebuildAnswer(begun.right) })
      const { projection: other, actor: who, startedAt } = begun.left
      return refuse(
        409,
        'rebuild-under-way',
        `${other} is being rebuilt since ${startedAt}, by ${who}; wait until that is done, or stop it`,
      )
    },
  )

  const stop = route(
    {
      method: 'post',
      path: `${v1}/projections/{projection}/rebuild/stop`,
      operationId: 'stopRebuild',
      summary: 'Stops a rebuild, and drops what one left behind that was killed: the live views stay.',
      tags,
      parameters: [projection],
      requestBody: {
        description: 'Who wants it and why.',
        codec: t.intersection([t.type({ reason: Text }), ActorField]),
        example: { actor: 'r.vermeer', reason: 'it can wait for the night' },
      },
      responses: { 200: { description: 'It is stopped.', codec: t.type({ stopped: t.literal(true) }) } },
      problems: [unknown, otherActor, { status: 409, code: 'no-rebuild', description: 'None is under way.' }],
      permission: 'administer',
    },
    async ({ parameters: { projection: name }, body, caller }) => {
      const found = named(name)
      if (!found) return notFound(name)
      const actor = actorOf(caller, body.actor)
      if (isLeft(actor)) return actor
      const by = { actor: actor.right, reason: body.reason }
      context.system.log.info({ projection: name, ...by }, `rebuild of ${name}: stop requested`)
      return (await context.rebuilds.stop(found, by))
        ? json({ stopped: true })
        : refuse(409, 'no-rebuild', `the views of ${name} are not being rebuilt`)
    },
  )
  return [start, stop]
}
