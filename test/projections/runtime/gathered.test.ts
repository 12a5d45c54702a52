import { describe, expect, it } from 'vitest'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { EventBatch } from '#src/ports/event-store.ts'
import { liveBatch } from '#src/projections/runtime/fold.ts'
import { gathered } from '#src/projections/runtime/gathered.ts'
import { projection } from '#src/projections/runtime/projection.ts'

const events = (count: number): readonly RecordedEvent[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${i}`,
    type: 'Paid',
    stream: 'account-a',
    revision: BigInt(i),
    position: BigInt(i),
    recordedAt: '2026-01-01T00:00:00.000Z',
    data: {},
    metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 },
  }))
const batch = (count: number, position: bigint, caughtUp = false): EventBatch => ({
  events: events(count),
  position,
  caughtUp,
})

const of = (weigh?: (event: RecordedEvent) => number) =>
  gathered(
    projection({ name: 'p', version: 1, description: 'p', views: [], ...(weigh && { weigh }) }, () => []),
  )

describe('batches that are folded together', () => {
  it('full ones while more are waiting: all with the one that has caught up', () => {
    const { add } = of()
    expect(add(batch(1000, 1000n))).toBeUndefined()
    expect(add(batch(1000, 2000n))).toBeUndefined()
    const all = add(batch(3, 2003n, true))
    expect(all).toMatchObject({ position: 2003n, caughtUp: true })
    expect(all!.events).toHaveLength(2003)
  })

  it('up to so many, heavy ones counted by their weight', () => {
    const { add } = of()
    for (let n = 1; n < liveBatch / 1000; n++) expect(add(batch(1000, BigInt(n * 1000)))).toBeUndefined()
    expect(add(batch(1000, BigInt(liveBatch)))!.events).toHaveLength(liveBatch)
    expect(of(() => liveBatch / 1000).add(batch(1000, 1000n))!.events).toHaveLength(1000)
  })

  it('none that is not full: it is folded at once', () => {
    const few = batch(5, 5n)
    expect(of().add(few)).toBe(few)
  })

  it('none that was forgotten: it is read again', () => {
    const { add, clear } = of()
    add(batch(1000, 1000n))
    clear()
    expect(add(batch(1, 1n, true))!.events).toHaveLength(1)
  })
})
