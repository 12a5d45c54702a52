import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../../../infra/broker/kafka/batcher.ts'
import { fakeClock, turns } from '../../../fakes/clock.ts'

const gather = (enough = 100) => {
  const clock = fakeClock()
  const sent: number[][] = []
  let answer = Promise.withResolvers<void>()
  const batcher = createBatcher<number>({
    lingerMillis: 5,
    enough,
    batchSize: (waiting) => Math.min(waiting.length, enough),
    send: (batch) => {
      sent.push([...batch])
      return answer.promise
    },
    clock,
  })
  const next = async () => {
    answer.resolve()
    answer = Promise.withResolvers()
    await turns()
  }
  return { batcher, clock, sent, next }
}

describe('batches', () => {
  it('linger for others, then go together', async () => {
    const { batcher, clock, sent } = gather()
    batcher.add([1, 2])
    await clock.advance(4)
    batcher.add([3])
    expect(sent).toEqual([])
    await clock.advance(1)
    expect(sent).toEqual([[1, 2, 3]])
  })

  it('go at once when there are enough', async () => {
    const { batcher, sent } = gather(3)
    batcher.add([1, 2])
    batcher.add([3, 4])
    await turns()
    expect(sent).toEqual([[1, 2, 3]])
  })

  it('go one at a time, in order; what gathers meanwhile does not linger', async () => {
    const { batcher, clock, sent, next } = gather(3)
    batcher.add([1])
    await clock.advance(5)
    batcher.add([2, 3])
    batcher.add([4, 5])
    await clock.advance(100)
    expect(sent).toEqual([[1]])
    await next()
    expect(sent).toEqual([[1], [2, 3, 4]])
    await next()
    expect(sent).toEqual([[1], [2, 3, 4], [5]])
  })

  it('linger again after a pause', async () => {
    const { batcher, clock, sent, next } = gather()
    batcher.add([1])
    await clock.advance(5)
    await next()
    batcher.add([2])
    await turns()
    expect(sent).toEqual([[1]])
    await clock.advance(5)
    expect(sent).toEqual([[1], [2]])
  })

  it('are sent at once when flushed, and it waits for them', async () => {
    const { batcher, sent, next } = gather()
    batcher.add([1])
    let flushed = false
    const flushing = batcher.flush().then(() => {
      flushed = true
    })
    await turns()
    expect([sent, flushed]).toEqual([[[1]], false])
    await next()
    await flushing
  })

  it('can be taken back while they wait', async () => {
    const { batcher, clock, sent, next } = gather()
    batcher.add([1])
    await clock.advance(5)
    batcher.add([2, 3])
    expect(batcher.clear()).toEqual([2, 3])
    await next()
    expect(sent).toEqual([[1]])
  })
})
