import { isLeft } from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../async/unavailable.ts'
import { causeOf } from '../../domain/kernel/message.ts'
import { defect, invalidBy, noteRejection, type OutcomeDependencies } from './outcomes.ts'
import type { StepResult } from './results.ts'
import type { Step } from './steps.ts'
import { startSpan } from './tracing.ts'

/** Executes one command of a message, in the message's trace; a rejection is kept. Throws `UnavailableError`. */
export const executeStep = async (
  processor: string,
  deps: OutcomeDependencies,
  { route, of: { record, message } }: Step,
): Promise<StepResult> => {
  const { stream } = route
  const span = startSpan(`process ${message.type}`, message.traceparent, {
    'messaging.destination.name': record.topic,
    'messaging.message.id': message.id,
    'fonds.stream': stream,
  })
  try {
    const outcome = await deps.execute(route.decider, {
      stream,
      command: route.command as never,
      causationId: causeOf(message),
      ...(!route.ofStream && { correlationId: message.correlationId ?? message.id }),
      ...(message.origin && { origin: message.origin }),
      ...(span.traceparent && { traceparent: span.traceparent }),
    })
    if (isLeft(outcome)) return { stream, invalid: invalidBy(outcome.left) }
    if (outcome.right.kind !== 'rejected') return outcome.right.kind
    const invalid = await noteRejection(deps, processor, { record, message, stream }, outcome.right.rejection)
    return invalid ? { stream, invalid } : 'rejected'
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    // A bug concerns this message alone: it becomes a dead letter, and the others go on.
    deps.log.error(
      { err: error, topic: record.topic, offset: String(record.offset) },
      'a message had no effect',
    )
    return { stream, invalid: defect(error) }
  } finally {
    span.end()
  }
}
