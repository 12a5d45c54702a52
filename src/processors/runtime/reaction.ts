import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { Away } from '../../ports/away.ts'
import type { EventBatch, EventFilter } from '../../ports/event-store.ts'
import type { Execute } from './execute.ts'
import { finishAll } from './finish-all.ts'
import { type FollowDependencies, type Following, follow } from './follow.ts'
import type { Plan } from './processor.ts'
import { startSpan } from './tracing.ts'

/**
 * Fed by the log, in order: an event leads to commands on other streams. A stream takes one command an event: the event
 * is the cause, and a cause has its effect once.
 */
export interface Reaction {
  readonly name: string
  readonly filter: EventFilter
  /**
   * The commands an event leads to, a page at a time where there are many. Asked again after a crash. `signal` aborts
   * when the reaction stops: whatever it waits for is then to be given up.
   */
  readonly react: (event: RecordedEvent, signal: AbortSignal) => AsyncIterable<readonly Plan[]>
}

export interface ReactionDependencies extends FollowDependencies {
  readonly execute: Execute
}

/**
 * Commands carry the event's id as their cause, so an event seen twice (after a crash, or by a second process) has its
 * effect once. That also makes a stale holder of the duty harmless: what it still does, its successor does not do again.
 */
export const runReaction = (reaction: Reaction, deps: ReactionDependencies): Following => {
  const { name, filter } = reaction
  const { telemetry, log } = deps

  async function react({ events }: EventBatch, goesOn: () => boolean, signal: AbortSignal): Promise<boolean> {
    for (const event of events) {
      if (!goesOn()) return false
      const span = startSpan(`react ${name}`, event.metadata.traceparent, { 'fonds.stream': event.stream })
      try {
        for await (const plans of reaction.react(event, signal)) {
          if (!goesOn()) return false
          await finishAll(plans.map((plan) => run(plan, event, span.traceparent)))
        }
      } finally {
        span.end()
      }
    }
    return true
  }

  async function run(plan: Plan, event: RecordedEvent, traceparent: string | undefined): Promise<void> {
    const outcome = await deps.execute(plan.decider, {
      stream: plan.stream,
      command: plan.command as never,
      causationId: event.id,
      correlationId: event.metadata.correlationId,
      ...(traceparent && { traceparent }),
    })
    if (isLeft(outcome) && outcome.left.kind !== 'StreamDeleted')
      throw new Away(`${name}: ${JSON.stringify(outcome.left)}`)
    const result = isLeft(outcome) ? deletedForGood : outcome.right
    telemetry.count('messages', { processor: name, outcome: result.kind })
    if (result.kind === 'rejected')
      log.debug({ reaction: name, stream: plan.stream, event: event.id }, result.rejection.message)
  }

  return follow({ name, filter, handle: react }, deps)
}

/** Such a stream says no to everything. */
const deletedForGood = {
  kind: 'rejected',
  rejection: { code: 'stream-deleted', message: 'the stream was deleted for good' },
} as const
