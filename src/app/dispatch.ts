import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { tryUnavailable } from '../async/unavailable.ts'
import type { DomainEvent } from '../domain/kernel/event.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { ViewStore } from '../ports/view-store.ts'
import type { Executed, ExecuteFailure } from '../processors/runtime/execute.ts'
import type { OperatorCommand } from '../processors/runtime/operator-command.ts'
import type { DoneBefore, SystemCommand } from '../workflows/workflow.ts'
import { sealedBy } from './sealed-by.ts'
import type { System } from './system.ts'

export type Dispatched = Executed<DomainEvent, Rejection> & { readonly stream: string }

export interface DispatchedBy {
  readonly actor: string
  readonly reason: string
  /** Idempotency key: with the same one, a command has its effect once. Absent: each call is a new command. */
  readonly key?: string | undefined
}

/**
 * Dispatches an operator's command with an input that its codec has decoded. A command reads the views as they are:
 * bring them up to date before, if it queries them. A command that had its effect already is not rejected.
 */
export const dispatch = (
  system: System,
  command: SystemCommand,
  input: unknown,
  { key, ...by }: DispatchedBy,
): Promise<E.Either<ExecuteFailure, Dispatched>> => {
  const cause = key === undefined ? uuid() : `${command.formerName ?? command.name}#${key}`
  const recorded = (meant: unknown, done: unknown, caused: Caused) =>
    pipe(
      tryUnavailable(() => viewsFor(system, meant)),
      TE.chainW((views) => record(system, command, views, meant, done, caused)),
      TE.chainFirst((outcome) => afterwards(system, command, done, outcome)),
    )
  const dispatched = (meant: unknown, caused: Caused) =>
    pipe(
      carryOut(system, command, meant, caused),
      TE.chain(E.match(rejectedBy(command), (done) => recorded(meant, done, caused))),
    )
  return pipe(
    resolved(system, command, input),
    E.match(rejectedBy(command), (meant) =>
      pipe(
        key === undefined ? TE.right(undefined) : doneBefore(system, command, cause),
        TE.chain((before) =>
          before
            ? recorded(meant, before.done, { actor: before.actor, reason: before.reason, cause })
            : pipe(
                sealedBy(system, by),
                TE.chainW((sealed) => dispatched(meant, { ...sealed, cause })),
              ),
        ),
      ),
    ),
  )()
}

interface Caused extends Pick<DispatchedBy, 'actor' | 'reason'> {
  readonly cause: string
}

/** Resolves the input of a command, by the views. */
export const resolved = (
  { viewStore }: Pick<System, 'viewStore'>,
  command: OperatorCommand,
  input: unknown,
): E.Either<Rejection, unknown> => command.resolve?.(input)?.(viewStore) ?? E.right(input)

const rejectedBy =
  ({ name: stream }: SystemCommand) =>
  (rejection: Rejection): Dispatching<Dispatched> =>
    TE.right({ kind: 'rejected', rejection, stream })

type Dispatching<A> = TE.TaskEither<ExecuteFailure, A>

/** Runs the command's effect outside the log. Left in the Right: that was rejected. */
const carryOut = (
  system: System,
  command: SystemCommand,
  input: unknown,
  { actor, reason, cause }: Caused,
): Dispatching<E.Either<Rejection, unknown>> =>
  tryUnavailable(async () => {
    const known = command.byLog ? await command.byLog(input, system) : input
    return command.carryOut
      ? command.carryOut(known, system, { actor, reason, at: system.clock.now(), cause })
      : E.right(known)
  })

const doneBefore = (
  system: System,
  command: SystemCommand,
  cause: string,
): Dispatching<DoneBefore | undefined> => tryUnavailable(async () => command.doneBefore?.(cause, system))

const afterwards = (
  system: System,
  command: SystemCommand,
  done: unknown,
  { kind }: Dispatched,
): Dispatching<void> =>
  command.afterwards && kind !== 'rejected'
    ? tryUnavailable(async () => command.afterwards?.(done, system))
    : TE.right(undefined)

/** Views that find what the input names by its reference, too. */
const viewsFor = async (system: System, input: unknown): Promise<ViewStore> => {
  const { config, viewStore } = system
  if (config.personalValues === 'off' || typeof input !== 'object' || input === null) return viewStore
  const { referencesOf, seeingReferences } = await import('./by-reference.ts')
  return seeingReferences(viewStore, await referencesOf(system, Object.values(input)))
}

const record = (
  { clock, execute }: System,
  command: SystemCommand,
  views: ViewStore,
  input: unknown,
  done: unknown,
  { actor, reason, cause }: Caused,
): Dispatching<Dispatched> => {
  const route = command.route(done, { actor, reason, at: clock.now() })
  const rejection = command.rejection?.(input)?.(views)
  const decider = rejection ? { ...route.decider, decide: () => E.left(rejection) } : route.decider
  const executed: Dispatching<Executed<DomainEvent, Rejection>> = () =>
    execute(decider, {
      stream: route.stream,
      command: route.command as never,
      causationId: cause,
      correlationId: cause,
    })
  return pipe(
    executed,
    TE.map((outcome) => ({ ...outcome, stream: route.stream })),
  )
}
