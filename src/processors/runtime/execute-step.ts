import { isLeft } from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../async/unavailable.ts'
import { causeOf, formerCauseOf } from '../../domain/kernel/message.ts'
import type { Writable } from '../../domain/kernel/writable.ts'
import type { CommandEnvelope } from './decide-command.ts'
import type { Planned } from './decide-run.ts'
import { defect, invalidBy, noteRejection, type OutcomeDependencies } from './outcomes.ts'
import type { StepResult } from './results.ts'
import type { Step } from './steps.ts'
import { isUntraced, noSpan, startSpan, type Traced } from './tracing.ts'

/** Returns a command with its envelope, in the trace of its message. */
export const planOf = (step: Step): Planned => {
  const { route, of } = step
  const { message } = of
  step.span ??= isUntraced(message.traceparent) ? noSpan : spanOf(step)
  const envelope: Writable<CommandEnvelope<never>> = {
    stream: route.stream,
    command: route.command as never,
    causationId: causeOf(message),
  }
  if (!route.ofStream) envelope.correlationId = message.correlationId ?? message.id
  if (message.quoted) envelope.formerCausationId = formerCauseOf(message)
  if (message.origin) envelope.origin = message.origin
  if (step.span.traceparent) envelope.traceparent = step.span.traceparent
  return { decider: route.decider, envelope }
}

const spanOf = ({ route, of: { record, message } }: Step): Traced =>
  startSpan(`process ${message.type}`, message.traceparent, {
    'messaging.destination.name': record.topic,
    'messaging.message.id': message.id,
    'fonds.stream': route.stream,
  })

/** Executes one command of a message, unless it has its outcome; stores a rejection. Throws `UnavailableError`. */
export const executeStep = async (
  processor: string,
  deps: OutcomeDependencies,
  step: Step,
): Promise<StepResult> => {
  const { record, message } = step.of
  const { stream } = step.route
  try {
    const outcome = step.outcome ?? (await executeAlone(deps, step))
    if (isLeft(outcome)) {
      if (outcome.left.kind === 'Thrown') throw outcome.left.error
      return { stream, invalid: invalidBy(outcome.left) }
    }
    if (outcome.right.kind !== 'rejected') return outcome.right.kind
    const invalid = await noteRejection(deps, processor, { record, message, stream }, outcome.right.rejection)
    return invalid ? { stream, invalid } : 'rejected'
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    // A bug concerns this message alone: it becomes a dead letter, and the others go on.
    deps.log.error(
      { err: error, topic: record.topic, offset: String(record.offset) },
      'a defect in handling a message; it becomes a dead letter',
    )
    return { stream, invalid: defect(error) }
  } finally {
    step.span?.end()
  }
}

const executeAlone = ({ execute }: OutcomeDependencies, step: Step) => {
  const { decider, envelope } = planOf(step)
  return execute(decider, envelope)
}
