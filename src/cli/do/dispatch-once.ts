import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Dispatched, type DispatchedBy, dispatch } from '../../app/dispatch.ts'
import type { System } from '../../app/system.ts'
import { isObject } from '../../domain/kernel/envelope.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { asksViews } from '../../processors/runtime/operator-command.ts'
import type { SystemCommand } from '../../workflows/workflow.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { notExecuted } from './not-executed.ts'

export type Done = Exclude<Dispatched, { readonly kind: 'rejected' }>

/** Every command needs an actor and a reason. */
export const byOf = (
  { actor, reason, key }: Partial<DispatchedBy>,
  example: string,
): Either<CliFailure, DispatchedBy> => {
  if (!actor?.trim()) return left(usage('--actor is missing: who wants it?', example))
  if (!reason?.trim()) return left(usage('--reason is missing: why?', example))
  return right({ actor, reason, key })
}

/** Left: it was rejected, or could not be carried out. */
export const dispatchOnce = async (
  session: Session,
  command: SystemCommand,
  input: unknown,
  by: DispatchedBy,
): Promise<Either<CliFailure, Done>> => {
  const system = await session.system()
  if (asksViews(command, input)) await freshViews(session, system)
  const given = await dispatch(system, command, input, by)
  if (isLeft(given)) return left(notExecuted(given.left))
  const outcome = given.right
  return outcome.kind === 'rejected'
    ? left(refused(outcome.rejection.message, hintFor(system, outcome.rejection, input)))
    : right(outcome)
}

/** Known ids like the unknown one in the input. */
const hintFor = (system: System, { code }: Rejection, input: unknown): string | undefined => {
  if (!code.startsWith('unknown-') || !isObject(input)) return undefined
  const near = Object.values(input).flatMap((id) => (typeof id === 'string' ? nearIds(system, id) : []))
  return near.length > 0 ? `did you mean ${near.join(', or ')}?` : undefined
}

/** The outcome as programs get it. */
export const outcomeOf = ({ name }: SystemCommand, done: Done) => ({
  command: name,
  outcome: done.kind,
  stream: done.stream,
  position: done.position,
  events: done.kind === 'done' ? done.events : [],
})

/** For `bringToRest`: undefined if the command changed nothing. */
export const inLog = ({ position, events }: ReturnType<typeof outcomeOf>): string | undefined =>
  events.length === 0 ? undefined : `the command is in the log, at position ${position}`
