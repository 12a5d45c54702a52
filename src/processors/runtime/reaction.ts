import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventFilter, EventStore } from '../../ports/event-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Generation, ViewStore } from '../../ports/view-store.ts'
import type { Execute } from './execute.ts'
import type { Plan } from './processor.ts'
import { startSpan } from './tracing.ts'

/** Fed by the log, in order: an event leads to commands on other streams. */
export interface Reaction {
  readonly name: string
  readonly filter: EventFilter
  /** The commands an event leads to, a page at a time where there are many. Asked again after a crash. */
  readonly react: (event: RecordedEvent) => AsyncIterable<readonly Plan[]>
}

export interface ReactionDependencies {
  readonly eventStore: EventStore
  /** Holds the checkpoint, as a projection without views. Lost with it, the reaction starts over and changes nothing. */
  readonly viewStore: ViewStore
  readonly execute: Execute
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

export interface RunningReaction {
  readonly name: string
  position(): bigint
  stop(): Promise<void>
}

const checkpointVersion = 1

/**
 * Commands carry the event's id as their cause, so an event seen twice (after a crash, or by a second process) has
 * its effect once. The checkpoint moves only behind finished work.
 */
export const runReaction = (reaction: Reaction, deps: ReactionDependencies): RunningReaction => {
  const abort = new AbortController()
  const generation = checkpointOf(reaction.name, deps.viewStore)
  const running = loop()

  async function loop(): Promise<void> {
    let pause = 100
    while (!abort.signal.aborted) {
      try {
        const after = deps.viewStore.checkpoint(generation).position
        for await (const batch of deps.eventStore.subscribe(after, reaction.filter, abort.signal)) {
          if (!(await handle(batch))) break
          pause = 100
        }
      } catch (error) {
        deps.telemetry.count('failures', {
          processor: reaction.name,
          reason: error instanceof Away ? 'away' : 'defect',
        })
        deps.log.error({ err: error, reaction: reaction.name }, 'a reaction failed and will be tried again')
        await deps.clock.sleep(pause * (0.5 + Math.random()), abort.signal)
        pause = Math.min(pause * 2, 10_000)
      }
    }
  }

  /** False when another process moved the checkpoint: go on from there. */
  async function handle(batch: EventBatch): Promise<boolean> {
    for (const event of batch.events) {
      if (abort.signal.aborted) return false
      await handleEvent(event)
    }
    const before = deps.viewStore.checkpoint(generation)
    if (batch.position <= before.position) return batch.position === before.position
    const time = batch.events.at(-1)?.recordedAt ?? before.time
    return !isLeft(
      deps.viewStore.fold(generation, before.position, { position: batch.position, time }, () => {}),
    )
  }

  async function handleEvent(event: RecordedEvent): Promise<void> {
    const span = startSpan(`react ${reaction.name}`, event.metadata.traceparent, {
      'fonds.stream': event.stream,
    })
    try {
      for await (const plans of reaction.react(event))
        await Promise.all(plans.map((plan) => run(plan, event, span.traceparent)))
    } finally {
      span.end()
    }
  }

  async function run(plan: Plan, event: RecordedEvent, traceparent: string | undefined): Promise<void> {
    const outcome = await deps.execute(plan.decider, {
      stream: plan.stream,
      command: plan.command as never,
      causationId: event.id,
      correlationId: event.metadata.correlationId,
      ...(traceparent && { traceparent }),
    })
    if (isLeft(outcome)) throw new Away(`${reaction.name}: ${JSON.stringify(outcome.left)}`)
    deps.telemetry.count('messages', { processor: reaction.name, outcome: outcome.right.kind })
    if (outcome.right.kind === 'rejected')
      deps.log.debug({ reaction: reaction.name, stream: plan.stream }, outcome.right.rejection.message)
  }

  return {
    name: reaction.name,
    position: () => deps.viewStore.checkpoint(generation).position,
    stop: async () => {
      abort.abort()
      await running
    },
  }
}

const checkpointOf = (name: string, viewStore: ViewStore): Generation => {
  const live = viewStore.live(name)
  if (live) return live
  const made = viewStore.create(name, checkpointVersion, [])
  viewStore.promote(made)
  return viewStore.live(name) ?? made
}
