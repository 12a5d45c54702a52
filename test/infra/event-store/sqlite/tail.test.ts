import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTail } from '../../../../infra/event-store/sqlite/tail.ts'
import type { RecordedEvent } from '../../../../src/domain/kernel/event.ts'
import { event } from '../../../contracts/new-event.ts'

const at = (position: bigint): RecordedEvent => ({
  ...event('T', null),
  stream: 'a-1',
  revision: position,
  position,
  recordedAt: '2026-01-01T00:00:00.000Z',
})

/** A log that tells how often an event of it was read. */
const growing = () => {
  const events: RecordedEvent[] = []
  let reads = 0
  return {
    grow: (count: number) => {
      for (let i = 0; i < count; i++) events.push(at(BigInt(events.length + 1)))
    },
    reads: () => reads,
    head: () => BigInt(events.length || -1),
    each: (after: bigint, to: bigint, take: (event: RecordedEvent, size: number) => void) => {
      for (const one of events.slice(Math.max(0, Number(after)), Number(to))) {
        reads++
        take(one, 10)
      }
    },
  }
}
const all = () => true
const room = { maxEvents: 100, maxBytes: 1e9 }

describe('the tail of the log', () => {
  it('reads an event once, whoever follows', () => {
    const log = growing()
    const tail = createTail(log, room)
    tail.next(-1n, 10, all)
    log.grow(3)
    for (let follower = 0; follower < 20; follower++)
      expect(tail.next(-1n, 10, all)).toMatchObject({
        events: { length: 3 },
        position: 3n,
        caughtUp: true,
      })
    expect(log.reads()).toBe(3)
  })

  it('reads nothing of what would not fit anyhow', () => {
    const log = growing()
    const tail = createTail(log, room)
    tail.next(-1n, 10, all)
    log.grow(101)
    expect(tail.next(-1n, 10, all)).toBeUndefined()
    expect(log.reads()).toBe(0)
    log.grow(1)
    expect(tail.next(101n, 10, all)).toMatchObject({ events: { length: 1 }, position: 102n })
  })

  it('reads nothing for those who are too far behind', () => {
    const log = growing()
    log.grow(50)
    const tail = createTail(log, room)
    expect(tail.next(50n, 10, all)).toMatchObject({ caughtUp: true })
    log.grow(5)
    expect(tail.next(10n, 10, all)).toBeUndefined()
    expect(log.reads()).toBe(0)
    expect(tail.next(50n, 10, all)).toMatchObject({ events: { length: 5 }, caughtUp: true })
  })

  it('property: whoever stands where it holds the log gets all that is wanted, once; others are sent away', () => {
    const Step = fc.oneof(
      fc.record({ grow: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ follower: fc.nat(2), limit: fc.integer({ min: 1, max: 5 }) }),
    )
    fc.assert(
      fc.property(fc.array(Step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, maxEvents) => {
        const log = growing()
        const tail = createTail(log, { maxEvents, maxBytes: 1e9 })
        const odd = ({ position }: RecordedEvent) => position % 2n === 1n
        const followers = [0, 1, 2].map(() => ({ position: -1n }))
        for (const step of steps) {
          if ('grow' in step) {
            log.grow(step.grow)
            continue
          }
          const follower = followers[step.follower]!
          const batch = tail.next(follower.position, step.limit, odd)
          if (!batch) {
            expect(log.head() - follower.position).toBeGreaterThan(0n)
            follower.position = log.head()
            continue
          }
          expect(batch.events.length).toBeLessThanOrEqual(step.limit)
          expect(batch.caughtUp).toBe(batch.position === log.head())
          const wanted: bigint[] = []
          for (let p = follower.position < 0n ? 1n : follower.position + 1n; p <= batch.position; p++)
            if (p % 2n === 1n) wanted.push(p)
          expect(batch.events.map(({ position }) => position)).toEqual(wanted)
          follower.position = batch.position
        }
      }),
    )
  })
})
