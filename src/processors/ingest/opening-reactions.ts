import { orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { batchEvents } from '../../domain/ingest/batch/events.ts'
import { jobFacts } from '../../domain/ingest/batch/job-facts.ts'
import type { Batch } from '../../domain/ingest/batch/state.ts'
import { counterDecider } from '../../domain/ingest/counter/decide.ts'
import { counterEvents } from '../../domain/ingest/counter/events.ts'
import { batchStream, categories, idsStream, jobStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import type { ListedObject } from '../../domain/ingest/payload.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Route } from '../runtime/processor.ts'
import type { Reaction } from '../runtime/reaction.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { routeTo } from '../runtime/route.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

/*
 * Reactions from a submission to its jobs. Each is idempotent: its cause is an event, and a cause has its effect once.
 */

const by = (event: RecordedEvent) => ({ actor: event.metadata.actor, at: event.recordedAt })

/** A batch takes its number when it is submitted; its jobs take theirs together, once the payload was read. */
export const takeIds: Reaction = {
  name: 'ingest-ids',
  filter: { categories: [categories.batch], types: ['BatchSubmitted', 'PayloadRead'] },
  async *react(event) {
    const { type, data } = readOrStop(batchEvents, event)
    const batch = idOf(event.stream)
    if (type === 'BatchSubmitted')
      yield [
        routeTo(counterDecider, idsStream('batches'), {
          type: 'TakeIds',
          for: batch,
          count: 1,
          ...by(event),
        }),
      ]
    if (type === 'PayloadRead')
      yield [
        routeTo(counterDecider, idsStream('jobs'), {
          type: 'TakeIds',
          for: batch,
          count: data.count,
          ...by(event),
        }),
      ]
  },
}

interface Reading {
  readonly eventStore: EventStore
  readonly states: StreamStates
}

/** Gives a batch its number. Creates jobs from their numbers, one for each listed object; then opens the batch. */
export const useIds = (reading: Reading): Reaction => ({
  name: 'ingest-openings',
  filter: { categories: [categories.ids], types: ['IdsTaken'] },
  async *react(event) {
    const { data } = readOrStop(counterEvents, event)
    const stream = batchStream(data.for)
    if (event.stream === idsStream('batches')) {
      yield [routeTo(batchDecider, stream, { type: 'NumberBatch', number: data.first, ...by(event) })]
      return
    }
    const { state: batch } = await orThrow(() => reading.states.load(batchDecider, stream))
    if (!batch?.read) return
    for await (const page of listings(stream, batch.read.fence, reading.eventStore))
      yield creations({ id: data.for, batch, firstJob: data.first }, page, event)
    yield [routeTo(batchDecider, stream, { type: 'OpenBatch', firstJob: data.first, ...by(event) })]
  },
})

interface Page {
  /** Place of the first of these in the payload. */
  readonly from: number
  readonly objects: readonly ListedObject[]
}

const pageSize = 100

/** Objects listed under the claim that read the payload to its end. */
async function* listings(stream: string, fence: number, eventStore: EventStore): AsyncGenerator<Page> {
  for (let from = 0n; ; ) {
    const events = await orThrow(eventStore.read(stream, from, 'forward', pageSize))
    for (const event of events) {
      const { type, data } = readOrStop(batchEvents, event)
      if (type === 'ObjectsListed' && data.fence === fence) yield data
      if (type === 'PayloadRead') return
    }
    const last = events.at(-1)
    if (!last || events.length < pageSize) return
    from = last.revision + 1n
  }
}

const creations = (
  of: { readonly id: string; readonly batch: Batch; readonly firstJob: number },
  { from, objects }: Page,
  event: RecordedEvent,
): readonly Route[] =>
  objects.map((object, i) => {
    const facts = jobFacts(of, from + i, object)
    return routeTo(jobDecider, jobStream(facts.job), { type: 'CreateJob', facts, ...by(event) })
  })
