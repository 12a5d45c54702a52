import { isLeft } from 'fp-ts/lib/Either.js'
import { UnavailableError, unavailable } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Broker, ProducerRecord } from '../../ports/broker.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Subscription } from './leader-subscription.ts'

/** Maps events to records on topics. */
export interface Outbox extends Pick<Subscription, 'name' | 'checkpoint' | 'filter'> {
  /** Most events sent at once. */
  readonly batchSize: number
  /** Always the same for the same event, so that a repeat after a crash can be recognised. */
  readonly recordsOf: (event: RecordedEvent) => readonly ProducerRecord[]
  /** Returns a replacement for a record that is too large for its topic; undefined: there is none. */
  readonly instead?: (record: ProducerRecord) => ProducerRecord | undefined
  /** Called with a record that is left out because none can replace it. Absent: none is left out, and all after it wait. */
  readonly leftOut?: (
    record: ProducerRecord,
    size: { readonly bytes: number; readonly limit: number },
  ) => void
}

export interface OutboxDependencies {
  readonly broker: Pick<Broker, 'produce'>
  readonly telemetry: Telemetry
}

/**
 * Sends records in the order of the log. A batch is acknowledged before the next is sent, and the checkpoint moves
 * after that: nothing is missing, and after a crash the last batch may come again.
 */
export const outbox = (out: Outbox, { broker, telemetry }: OutboxDependencies): Subscription => {
  const { recordsOf, instead, leftOut, ...subscription } = out

  /** Returns false when it is to stop. A batch that is too large for the broker is sent in halves. */
  async function put(records: readonly ProducerRecord[], isLeader: () => boolean): Promise<boolean> {
    if (records.length === 0) return true
    if (!isLeader()) return false
    const placed = await broker.produce(records)()
    if (!isLeft(placed)) {
      telemetry.count('messages', { processor: out.name, outcome: 'done' }, records.length)
      return true
    }
    const failure = placed.left
    if (failure.kind === 'UnknownTopic')
      throw new UnavailableError(`the topic ${failure.topic} is missing; restart Fonds to create it`)
    if (failure.kind !== 'TooLarge') throw unavailable(failure)
    if (records.length > 1) {
      const half = records.length >> 1
      return (await put(records.slice(0, half), isLeader)) && put(records.slice(half), isLeader)
    }
    const [only] = records as readonly [ProducerRecord]
    const other = instead?.(only)
    if (other) return put([other], isLeader)
    if (!leftOut)
      throw new UnavailableError(
        `${only.topic} accepts at most ${failure.limit} bytes, a message has ${failure.bytes}; raise its limit`,
      )
    leftOut(only, failure)
    telemetry.count('messages', { processor: out.name, outcome: 'dead' })
    return true
  }

  return { ...subscription, handle: ({ events }, isLeader) => put(events.flatMap(recordsOf), isLeader) }
}
