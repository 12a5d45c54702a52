import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecentEvents } from '../../../infra/event-store/recent-events.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { event } from '../../contracts/new-event.ts'
import { runs } from '../../runs.ts'

const at = (position: bigint, data: unknown = null): RecordedEvent => ({
  ...event('T', data),
  stream: 'a-1',
  revision: 0n,
  position,
  recordedAt: '2026-01-01T00:00:00.000Z',
})

describe('recent events', () => {
  it('property: between floor and top nothing is missing, nothing is twice, and the limits hold', () => {
    const Step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), by: fc.bigInt(0n, 3n) }),
      fc.record({ kind: fc.constant('look' as const), by: fc.bigInt(0n, 3n) }),
    )
    fc.assert(
      fc.property(
        fc.bigInt(-1n, 5n),
        fc.array(Step, { maxLength: 3000 }),
        fc.integer({ min: 1, max: 1500 }),
        fc.integer({ min: 1, max: 9 }),
        (start, steps, maxEvents, limit) => {
          const recent = createRecentEvents(start, { maxEvents, maxBytes: 1e9 })
          const all: bigint[] = []
          let top = start
          for (const { kind, by } of steps) {
            const position = top + by
            if (kind === 'add') recent.add(at(position))
            else recent.advance(position)
            if (kind === 'add' && by > 0n) all.push(position)
            top = position
          }
          expect(recent.top()).toBe(top)
          expect(recent.floor()).toBe(all.length > maxEvents ? all.at(-maxEvents - 1) : start)
          const found: bigint[] = []
          let position = recent.floor()
          for (let looked = recent.after(position, limit, () => true); looked.position > position; ) {
            expect(looked.events.length).toBeLessThanOrEqual(limit)
            found.push(...looked.events.map((one) => one.position))
            position = looked.position
            looked = recent.after(position, limit, () => true)
          }
          expect(found).toEqual(all.slice(-maxEvents))
          expect(position).toBe(top)
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('large events push out many small ones', () => {
    const recent = createRecentEvents(-1n, { maxEvents: 1000, maxBytes: 100_000 })
    for (let n = 0n; n < 100n; n++) recent.add(at(n))
    expect(recent.floor()).toBe(-1n)
    recent.add(at(100n, { text: 'x'.repeat(80_000) }))
    expect(recent.floor()).toBeGreaterThan(50n)
    recent.add(at(101n, { text: 'x'.repeat(200_000) }))
    expect(recent.floor()).toBe(101n)
  })

  it('who has just appended may be ahead of it', () => {
    const recent = createRecentEvents(5n, { maxEvents: 10, maxBytes: 1e9 })
    recent.add(at(6n))
    expect(recent.after(9n, 10, () => true)).toEqual({ events: [], position: 9n })
  })
})
