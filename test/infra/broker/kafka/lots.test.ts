import { describe, expect, it } from 'vitest'
import { gatherLots } from '../../../../infra/broker/kafka/lots.ts'
import { fakeClock, turns } from '../../../fakes/clock.ts'

const gather = (enough = 100) => {
  const clock = fakeClock()
  const sent: number[][] = []
  let answer = Promise.withResolvers<void>()
  const lots = gatherLots<number>({
    lingerMillis: 5,
    enough,
    lotSize: (waiting) => Math.min(waiting.length, enough),
    send: (lot) => {
      sent.push([...lot])
      return answer.promise
    },
    clock,
  })
  const next = async () => {
    answer.resolve()
    answer = Promise.withResolvers()
    await turns()
  }
  return { lots, clock, sent, next }
}

describe('lots', () => {
  it('linger for others, then go together', async () => {
    const { lots, clock, sent } = gather()
    lots.add([1, 2])
    await clock.advance(4)
    lots.add([3])
    expect(sent).toEqual([])
    await clock.advance(1)
    expect(sent).toEqual([[1, 2, 3]])
  })

  it('go at once when there are enough', async () => {
    const { lots, sent } = gather(3)
    lots.add([1, 2])
    lots.add([3, 4])
    await turns()
    expect(sent).toEqual([[1, 2, 3]])
  })

  it('go one at a time, in order; what gathers meanwhile does not linger', async () => {
    const { lots, clock, sent, next } = gather(3)
    lots.add([1])
    await clock.advance(5)
    lots.add([2, 3])
    lots.add([4, 5])
    await clock.advance(100)
    expect(sent).toEqual([[1]])
    await next()
    expect(sent).toEqual([[1], [2, 3, 4]])
    await next()
    expect(sent).toEqual([[1], [2, 3, 4], [5]])
  })

  it('linger again after a pause', async () => {
    const { lots, clock, sent, next } = gather()
    lots.add([1])
    await clock.advance(5)
    await next()
    lots.add([2])
    await turns()
    expect(sent).toEqual([[1]])
    await clock.advance(5)
    expect(sent).toEqual([[1], [2]])
  })

  it('are sent at once when flushed, and it waits for them', async () => {
    const { lots, sent, next } = gather()
    lots.add([1])
    let flushed = false
    const flushing = lots.flush().then(() => {
      flushed = true
    })
    await turns()
    expect([sent, flushed]).toEqual([[[1]], false])
    await next()
    await flushing
  })

  it('can be taken back while they wait', async () => {
    const { lots, clock, sent, next } = gather()
    lots.add([1])
    await clock.advance(5)
    lots.add([2, 3])
    expect(lots.clear()).toEqual([2, 3])
    await next()
    expect(sent).toEqual([[1]])
  })
})
