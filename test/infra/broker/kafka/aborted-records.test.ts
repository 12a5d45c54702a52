import { describe, expect, it } from 'vitest'
import { type FetchedMessage, hideAborted } from '#infra/broker/kafka/aborted-records.ts'

const mark = (type: number): Buffer => Buffer.from([0, 0, 0, type])
const record = (offset: number, producerId: string, inTransaction = true, key: Buffer | null = null) =>
  ({ offset: String(offset), key, batchContext: { producerId, inTransaction } }) as FetchedMessage
const abort = (offset: number, producerId: string) => ({
  ...record(offset, producerId, true, mark(0)),
  isControlRecord: true,
})
const commit = (offset: number, producerId: string) => ({
  ...record(offset, producerId, true, mark(1)),
  isControlRecord: true,
})

/** Offsets of what readers are given. */
const shown = (messages: FetchedMessage[], ...aborted: readonly (readonly [string, number])[]) => {
  const abortedTransactions = aborted.map(([producerId, first]) => ({
    producerId,
    firstOffset: String(first),
  }))
  hideAborted({ partition: 0, highWatermark: '99', messages, abortedTransactions })
  return messages.filter(({ isControlRecord }) => !isControlRecord).map(({ offset }) => Number(offset))
}

describe('aborted transactions', () => {
  it('have none of their records shown; those beside and behind them are', () => {
    const messages = [
      record(0, 'a'),
      commit(1, 'a'),
      record(2, 'a'),
      record(3, 'b'),
      record(4, 'c', false),
      abort(5, 'a'),
      record(6, 'a'),
      commit(7, 'b'),
      commit(8, 'a'),
    ]
    expect(shown(messages, ['a', 2])).toEqual([0, 3, 4, 6])
  })

  it('that overlap are found in whatever order Kafka lists them: it is that of their ends', () => {
    const messages = [record(5, 'a'), record(10, 'b'), abort(11, 'b'), record(12, 'a'), abort(13, 'a')]
    expect(shown(messages, ['b', 10], ['a', 5])).toEqual([])
  })

  it('that began before what was fetched are all known from its first record on', () => {
    const messages = [
      record(20, 'b'),
      record(21, 'a'),
      abort(22, 'a'),
      abort(23, 'b'),
      record(24, 'c', false),
    ]
    expect(shown(messages, ['a', 5], ['b', 10])).toEqual([24])
  })

  it('end with their mark, and not with a record whose key looks like one', () => {
    const messages = [record(0, 'a', true, mark(0)), record(1, 'a'), abort(2, 'a'), record(3, 'a', false)]
    expect(shown(messages, ['a', 0])).toEqual([3])
  })
})
