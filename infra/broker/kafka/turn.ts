import type { KafkaMessage } from 'kafkajs'
import type { BatchHandler, BrokerRecord } from '../../../src/ports/broker.ts'
import { recordReader } from './records.ts'

export interface Turn {
  readonly topic: string
  readonly partition: number
  /** What was fetched: one partition's, in order, at least one. */
  readonly messages: readonly KafkaMessage[]
  readonly batchSize: number
  readonly handler: BatchHandler
  readonly signal: AbortSignal
  /** True when the turn has taken long enough. */
  readonly isOver: () => boolean
  /** Everything below `next` is finished. */
  readonly onProgress: (next: bigint) => void
}

/** How a turn ended. */
export interface TurnEnd {
  /** All that was fetched is finished. */
  readonly complete: boolean
  /** What the handler threw; `standstill` where it finished nothing of a batch. */
  readonly fault?: { readonly thrown: unknown } | 'standstill'
}

/**
 * Hands over what was fetched, batch after batch, as long as it goes well, the partition is ours and the turn lasts.
 * kafkajs fetches from a broker again when all turns of its last fetch have ended, so a slow partition must not take
 * the others' time; what it leaves is fetched again.
 */
export const takeTurn = async (turn: Turn): Promise<TurnEnd> => {
  const { topic, partition, messages, batchSize, handler, signal, isOver, onProgress } = turn
  const toRecord = recordReader(topic, partition)
  let at = 0
  while (at < messages.length && !signal.aborted && !(at > 0 && isOver())) {
    const records = messages.slice(at, at + batchSize).map(toRecord)
    const [first] = records
    try {
      const next = await handler({ topic, partition, records }, signal)
      checkNext(next, records)
      if (next === first!.offset) return signal.aborted ? ended : { complete: false, fault: 'standstill' }
      const unfinished = records.findIndex(({ offset }) => offset >= next)
      at += unfinished < 0 ? records.length : unfinished
      onProgress(next)
    } catch (error) {
      return { complete: false, fault: { thrown: error } }
    }
  }
  return at === messages.length ? { complete: true } : ended
}

const ended: TurnEnd = { complete: false }

/** Where a handler may say it got to: from the first record (nothing finished) to behind the last. Else it has a bug. */
const checkNext = (next: bigint, records: readonly BrokerRecord[]): void => {
  const { topic, partition, offset: first } = records[0]!
  const end = records.at(-1)!.offset + 1n
  if (next < first || next > end)
    throw new RangeError(
      `${topic}-${partition}: the handler asked to commit offset ${next} after a batch of ${first} to ${end - 1n}; it may say ${first} to ${end}`,
    )
}
