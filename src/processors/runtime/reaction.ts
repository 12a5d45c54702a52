import { pipe } from 'fp-ts/lib/function.js'
import { finishAll } from '../../async/finish-all.ts'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventBatch, EventFilter } from '../../ports/event-store.ts'
import type { Execute } from './execute.ts'
import {
  type RunningSubscription,
  runSubscription,
  type SubscriptionDependencies,
} from './leader-subscription.ts'
import type { Route } from './processor.ts'
import { startSpan } from './tracing.ts'

/**
 * Follows the log, in order: an event leads to commands on other streams. A stream takes one command an event: the
 * event is the cause, and a cause has its effect once.
 */
export interface Reaction {
  readonly name: string
  readonly filter: EventFilter
  /**
   * Returns the commands of an event, a page at a time if there are many. Called again after a crash. `signal` aborts
   * when the reaction stops: it then waits for nothing more.
   */
  readonly react: (event: RecordedEvent, signal: AbortSignal) => AsyncIterable<readonly Route[]>
}

interface ReactionDependencies extends SubscriptionDependencies {
  readonly execute: Execute
}

/**
 * The event's id is the cause of its commands, so an event seen twice (after a crash, or by a second process) has its
 * effect once. A stale leader is harmless, too: its successor does not repeat what it still does.
 */
export const runReaction = (reaction: Reaction, deps: ReactionDependencies): RunningSubscription => {
  const { name, filter } = reaction
  const { telemetry, log } = deps

  async function react(
    { events }: EventBatch,
    isLeader: () => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const event of events) {
      if (!isLeader()) return false
      const span = startSpan(`react ${name}`, event.metadata.traceparent, { 'fonds.stream': event.stream })
      try {
        for await (const routes of reaction.react(event, signal)) {
          if (!isLeader()) return false
          await finishAll(routes.map((route) => run(route, event, span.traceparent)))
        }
      } finally {
        span.end()
      }
    }
    return true
  }

  async function run(route: Route, event: RecordedEvent, traceparent: string | undefined): Promise<void> {
    const envelope = {
      stream: route.stream,
      command: route.command as never,
      causationId: event.id,
      correlationId: event.metadata.correlationId,
      ...(traceparent && { traceparent }),
    }
    const result = await pipe(
      () => deps.execute(route.decider, envelope),
      ifDeleted(deletedForGood),
      (task) => orThrow(task, name),
    )
    telemetry.count('messages', { processor: name, outcome: result.kind })
    if (result.kind === 'rejected')
      log.debug({ reaction: name, stream: route.stream, event: event.id }, result.rejection.message)
  }

  for (const outcome of ['done', 'unchanged', 'repeated', 'rejected'])
    telemetry.count('messages', { processor: name, outcome }, 0)
  return runSubscription({ name, filter, batchSize, handle: react }, deps)
}

/** Most events that are repeated when the lease is lost in the middle: also on a machine that keeps no lease for long. */
const batchSize = 100

/** A deleted stream rejects everything. */
const deletedForGood = {
  kind: 'rejected',
  rejection: { code: 'stream-deleted', message: 'the stream is permanently deleted' },
} as const
