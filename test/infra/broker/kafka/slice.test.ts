import * as fc from 'fast-check'
import type { IHeaders, KafkaMessage } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { handleSlice } from '../../../../infra/broker/kafka/slice.ts'
import type { BatchHandler } from '../../../../src/ports/broker.ts'

const message = (
  offset: number,
  value: Buffer | null = Buffer.from('x'),
  headers: IHeaders = {},
): KafkaMessage => ({
  key: null,
  value,
  timestamp: '1700000000000',
  attributes: 0,
  offset: String(offset),
  headers,
})

const run = async (
  offsets: readonly number[],
  handler: BatchHandler,
  options: { batchSize?: number; signal?: AbortSignal; isOver?: () => boolean } = {},
) => {
  const progress: bigint[] = []
  const end = await handleSlice({
    topic: 't',
    partition: 0,
    messages: offsets.map((offset) => message(offset)),
    batchSize: options.batchSize ?? 3,
    handler,
    signal: options.signal ?? new AbortController().signal,
    isOver: options.isOver ?? (() => false),
    onProgress: (next) => progress.push(next),
  })
  return { end, progress }
}
const all: BatchHandler = async ({ records }) => records.at(-1)!.offset + 1n

describe('slice', () => {
  it('hands over everything in batches and says how far it is after each', async () => {
    expect(await run([0, 1, 2, 3, 4, 5, 6], all)).toEqual({
      end: { complete: true },
      progress: [3n, 6n, 7n],
    })
  })

  it('whatever the handler finishes, offsets rise, and each batch begins with the first unfinished record', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 10 }),
        fc.infiniteStream(fc.nat(9)),
        async (some, batchSize, choices) => {
          const offsets = some.toSorted((a, b) => a - b)
          const finished: bigint[] = []
          const { end, progress } = await run(
            offsets,
            async ({ records }) => {
              expect(records[0]!.offset).toBe(BigInt(offsets[finished.length]!))
              expect(records.length).toBeLessThanOrEqual(batchSize)
              const count = 1 + (choices.next().value! % records.length)
              const done = records.slice(0, count).map(({ offset }) => offset)
              finished.push(...done)
              return done.at(-1)! + 1n
            },
            { batchSize },
          )
          expect(end).toEqual({ complete: true })
          expect(finished).toEqual(offsets.map(BigInt))
          expect(progress).toEqual(progress.toSorted((a, b) => Number(a - b)))
          expect(progress.at(-1)).toBe(finished.at(-1)! + 1n)
        },
      ),
    )
  })

  it.each([new Error('away'), new TypeError('bug'), 'a string', undefined])(
    'ends with what the handler throws (%s) and keeps what was finished before',
    async (thrown) => {
      const { end, progress } = await run([0, 1, 2, 3, 4], async (batch, signal) => {
        if (batch.records[0]!.offset > 0n) throw thrown
        return all(batch, signal)
      })
      expect(end).toEqual({ complete: false, failure: { thrown } })
      expect(progress).toEqual([3n])
    },
  )

  it('ends at a batch of which nothing is finished', async () => {
    const { end, progress } = await run([5, 6], async ({ records }) => records[0]!.offset)
    expect(end).toEqual({ complete: false, failure: 'standstill' })
    expect(progress).toEqual([])
  })

  it.each([4n, 9n])('takes no offset outside of the batch (%s)', async (next) => {
    const { end } = await run([5, 6, 7], async () => next)
    expect(end.failure).toMatchObject({ thrown: expect.any(RangeError) })
  })

  it('stops between batches once the partition is lost', async () => {
    const lost = new AbortController()
    const { end, progress } = await run(
      [0, 1, 2, 3],
      async ({ records }) => {
        lost.abort()
        return records[0]!.offset + 1n
      },
      { signal: lost.signal },
    )
    expect(end).toEqual({ complete: false })
    expect(progress).toEqual([1n])
  })

  it('leaves the rest for the next one when it has taken long enough, yet not before a first batch', async () => {
    const { end, progress } = await run([0, 1, 2, 3], all, { isOver: () => true })
    expect(end).toEqual({ complete: false })
    expect(progress).toEqual([3n])
  })

  it('hands over a record without a value as an empty one, and headers however often they come', async () => {
    const twice = [Buffer.from('1'), Buffer.from('2')]
    const odd = message(0, null, { twice, none: undefined, text: 'ü' })
    await handleSlice({
      topic: 't',
      partition: 0,
      messages: [odd],
      batchSize: 1,
      signal: new AbortController().signal,
      isOver: () => false,
      onProgress: () => {},
      handler: async (batch, signal) => {
        const [record] = batch.records
        expect(record).toMatchObject({
          key: null,
          headers: { twice: '2', text: 'ü' },
          timestamp: '2023-11-14T22:13:20.000Z',
        })
        expect(record!.value).toHaveLength(0)
        return all(batch, signal)
      },
    })
    expect.assertions(2)
  })
})
