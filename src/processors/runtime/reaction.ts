import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventBatch, EventFilter, EventStore } from '../../ports/event-store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Generation, ViewStore } from '../../ports/view-store.ts'
import type { Execute } from './execute.ts'
import { finishAll } from './finish-all.ts'
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
const firstPause = 100
const longestPause = 10_000

/**
 * Commands carry the event's id as their cause, so an event seen twice (after a crash, or by a second process) has
 * its effect once. The checkpoint moves only behind finished work; what fails is tried again after a pause.
 */
export const runReaction = (reaction: Reaction, deps: ReactionDependencies): RunningReaction => {
  const { name } = reaction
  const { eventStore, viewStore, clock, telemetry, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const running = loop()

  async function loop(): Promise<void> {
    let pause = firstPause
    while (!signal.aborted) {
      try {
        const generation = checkpointOf(name, viewStore)
        const after = viewStore.checkpoint(generation).position
        for await (const batch of eventStore.subscribe(after, reaction.filter, signal)) {
          await react(batch)
          if (signal.aborted || !advance(generation, batch)) break
          pause = firstPause
        }
      } catch (error) {
        if (signal.aborted && error instanceof Away) return
        telemetry.count('failures', { processor: name, reason: error instanceof Away ? 'away' : 'defect' })
        log.error({ err: error, reaction: name }, 'a reaction failed and will be tried again')
        await clock.sleep(pause * (0.5 + Math.random()), signal)
        pause = Math.min(pause * 2, longestPause)
      }
    }
  }

  async function react({ events }: EventBatch): Promise<void> {
    for (const event of events) {
      const span = startSpan(`react ${name}`, event.metadata.traceparent, { 'fonds.stream': event.stream })
      try {
        for await (const plans of reaction.react(event, signal)) {
          if (signal.aborted) return
          await finishAll(plans.map((plan) => run(plan, event, span.traceparent)))
        }
      } finally {
        span.end()
      }
      if (signal.aborted) return
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
    if (isLeft(outcome) && outcome.left.kind !== 'StreamDeleted')
      throw new Away(`${name}: ${JSON.stringify(outcome.left)}`)
    const result = isLeft(outcome) ? deletedForGood : outcome.right
    telemetry.count('messages', { processor: name, outcome: result.kind })
    if (result.kind === 'rejected')
      log.debug({ reaction: name, stream: plan.stream, event: event.id }, result.rejection.message)
  }

  /** False when another process moved the checkpoint further: go on from there. */
  function advance(generation: Generation, { events, position }: EventBatch): boolean {
    const before = viewStore.checkpoint(generation)
    if (position <= before.position) return position === before.position
    const time = events.at(-1)?.recordedAt ?? before.time
    return !isLeft(viewStore.fold(generation, before.position, { position, time }, () => {}))
  }

  return {
    name,
    position: () => {
      const live = viewStore.live(name)
      return live ? viewStore.checkpoint(live).position : -1n
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Such a stream says no to everything. */
const deletedForGood = {
  kind: 'rejected',
  rejection: { code: 'stream-deleted', message: 'the stream was deleted for good' },
} as const

/** Looked up anew after each failure: a second process may have put its own in its place. */
const checkpointOf = (name: string, viewStore: ViewStore): Generation => {
  const live = viewStore.live(name)
  if (live) return live
  const made = viewStore.create(name, checkpointVersion, [])
  viewStore.promote(made)
  return viewStore.live(name) ?? made
}
