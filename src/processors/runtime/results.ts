import { clip } from '../../domain/kernel/clip.ts'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { Executed } from './execute.ts'

/** The outcome of a record, or of one of its commands. */
export type Result = Executed<DomainEvent, Rejection>['kind'] | 'dead'

export type StepResult = Exclude<Result, 'dead'> | FailedStep

/** A command that can have no effect, now or later. */
interface FailedStep {
  readonly stream: string
  readonly invalid: InvalidMessage
}

/** A record's outcome is the first of these that one of its commands has; a record without commands changed nothing. */
export const byWeight: readonly Result[] = ['dead', 'rejected', 'done', 'repeated', 'unchanged']

export const resultOf = (results: readonly StepResult[]): Result => {
  if (results.length === 1) return kindOf(results[0]!)
  return byWeight.find((kind) => results.some((result) => kindOf(result) === kind)) ?? 'unchanged'
}

const kindOf = (result: StepResult): Result => (isFailed(result) ? 'dead' : result)

const isFailed = (result: StepResult): result is FailedStep => typeof result !== 'string'

/**
 * Returns why a record becomes a dead letter, if it does. Of several commands the sentence names the stream of the
 * invalid one.
 */
export const invalidIn = (results: readonly StepResult[]): InvalidMessage | undefined => {
  if (!results.some(isFailed)) return undefined
  const failed = results.filter(isFailed)
  // Whatever the order in which they ended, a redelivered record gets the same reason.
  const [first] = failed.sort((one, other) => (one.stream < other.stream ? -1 : 1))
  if (!first || results.length === 1) return first?.invalid
  const { stream, invalid } = first
  const others = failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''
  return { ...invalid, message: `${clip(stream, 200)}${others}: ${invalid.message}` }
}
