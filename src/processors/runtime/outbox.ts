import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { Away } from '../../ports/away.ts'
import type { Broker, ProducerRecord } from '../../ports/broker.ts'
import { inWords } from '../../ports/broker-failure.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Follower } from './follow.ts'

/** What events say, on topics. */
export interface Outbox extends Pick<Follower, 'name' | 'checkpoint' | 'filter'> {
  /** Most events sent at once. */
  readonly batchSize: number
  /** The same for the same event, whenever it is asked: what comes again after a crash can then be recognised. */
  readonly recordsOf: (event: RecordedEvent) => readonly ProducerRecord[]
  /** What goes in the place of a record that its topic finds too large; undefined: nothing can. */
  readonly instead?: (record: ProducerRecord) => ProducerRecord | undefined
  /** Told of one in whose place nothing can go, and which is left out. Absent: nothing is, so that all behind it wait. */
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
 * In the order of the log. One batch is acknowledged before the next is sent, and the checkpoint moves behind that:
 * nothing is missing, and after a crash the last batch may come again.
 */
export const outbox = (out: Outbox, { broker, telemetry }: OutboxDependencies): Follower => {
  const { recordsOf, instead, leftOut, ...follower } = out

  /** False when it is to stop. Halves are sent where a whole batch is too large for the broker. */
  async function put(records: readonly ProducerRecord[], goesOn: () => boolean): Promise<boolean> {
    if (records.length === 0) return true
    if (!goesOn()) return false
    const placed = await broker.produce(records)()
    if (!isLeft(placed)) {
      telemetry.count('messages', { processor: out.name, outcome: 'done' }, records.length)
      return true
    }
    const failure = placed.left
    if (failure.kind === 'UnknownTopic')
      throw new Away(`the topic ${failure.topic} is missing: starting Fonds anew makes it`)
    if (failure.kind !== 'TooLarge') throw new Away(inWords(failure))
    if (records.length > 1) {
      const half = records.length >> 1
      return (await put(records.slice(0, half), goesOn)) && put(records.slice(half), goesOn)
    }
    const [only] = records as readonly [ProducerRecord]
    const other = instead?.(only)
    if (other) return put([other], goesOn)
    if (!leftOut)
      throw new Away(
        `${only.topic} does not take a message of ${failure.bytes} bytes, only ${failure.limit}; let it take larger ones`,
      )
    leftOut(only, failure)
    telemetry.count('messages', { processor: out.name, outcome: 'dead' })
    return true
  }

  return { ...follower, handle: ({ events }, goesOn) => put(events.flatMap(recordsOf), goesOn) }
}
