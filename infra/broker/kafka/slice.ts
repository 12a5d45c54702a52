import type { KafkaMessage } from 'kafkajs'
import type { BatchHandler } from '../../../src/ports/broker.ts'
import { checkNext } from '../check-next.ts'
import { createRecordReader } from './records.ts'

interface Slice {
  readonly topic: string
  readonly partition: number
  /** Fetched messages of one partition, in order, at least one. */
  readonly messages: readonly KafkaMessage[]
  readonly batchSize: number
  readonly handler: BatchHandler
  readonly signal: AbortSignal
  /** Returns true when the slice has taken long enough. */
  readonly isOver: () => boolean
  /** Everything below `next` is finished. */
  readonly onProgress: (next: bigint) => void
}

interface SliceResult {
  /** All fetched messages are finished. */
  readonly complete: boolean
  /** The handler's error; `standstill` if it finished nothing of a batch. */
  readonly failure?: { readonly thrown: unknown } | 'standstill'
}

/**
 * Handles fetched messages, batch after batch, until a batch fails, the partition is lost or the slice is over. kafkajs
 * fetches from a broker again when all slices of its last fetch have ended, so a slow partition must not delay the
 * others; remaining records are fetched again.
 */
export const handleSlice = async (slice: Slice): Promise<SliceResult> => {
  const { topic, partition, messages, batchSize, handler, signal, isOver, onProgress } = slice
  const toRecord = createRecordReader(topic, partition)
  let at = 0
  while (at < messages.length && !signal.aborted && !(at > 0 && isOver())) {
    const records = messages.slice(at, at + batchSize).map(toRecord)
    const [first] = records
    try {
      const next = await handler({ topic, partition, records }, signal)
      checkNext(next, records)
      if (next === first!.offset) return signal.aborted ? ended : { complete: false, failure: 'standstill' }
      const unfinished = records.findIndex(({ offset }) => offset >= next)
      at += unfinished < 0 ? records.length : unfinished
      onProgress(next)
    } catch (error) {
      return { complete: false, failure: { thrown: error } }
    }
  }
  return at === messages.length ? { complete: true } : ended
}

const ended: SliceResult = { complete: false }
