import type { KafkaMessage } from 'kafkajs'

/** A record as kafkajs decodes it; control records are the marks that end transactions. */
export type FetchedMessage = KafkaMessage & {
  isControlRecord?: boolean
  readonly batchContext?: { readonly producerId: string; readonly inTransaction: boolean }
}

/** The result of kafkajs for a partition that it fetched. */
export interface FetchedPartition {
  readonly partition: number
  readonly highWatermark: string
  readonly lastStableOffset?: string
  readonly messages: FetchedMessage[]
  abortedTransactions?: { readonly producerId: string; readonly firstOffset: string }[]
}

/** The type in a control record's key, behind its version. */
const abort = 0
const isAbort = ({ key }: FetchedMessage): boolean =>
  key !== null && key.length >= 4 && key.readInt16BE(2) === abort

/**
 * Turns the records of aborted transactions into control records, which every reader skips. kafkajs itself lets some of
 * them pass: it uses the list in the order in which transactions ended, one entry per record.
 */
export const hideAborted = (fetched: FetchedPartition): void => {
  const { messages, abortedTransactions: list } = fetched
  if (!list || list.length === 0) return
  const toCome = list
    .map(({ producerId, firstOffset }) => ({ producerId, first: BigInt(firstOffset) }))
    .sort((a, b) => (a.first < b.first ? -1 : 1))
  const aborted = new Set<string>()
  for (const message of messages) {
    const { producerId = '', inTransaction = false } = message.batchContext ?? {}
    const offset = BigInt(message.offset)
    while (toCome.length > 0 && toCome[0]!.first <= offset) aborted.add(toCome.shift()!.producerId)
    if (message.isControlRecord) {
      if (isAbort(message)) aborted.delete(producerId)
    } else if (inTransaction && aborted.has(producerId)) message.isControlRecord = true
  }
  fetched.abortedTransactions = []
}
