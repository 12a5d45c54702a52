import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { createRecentEvents } from '../../../infra/event-store/recent-events.ts'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { event } from '../../contracts/new-event.ts'

const at = (position: bigint, data: unknown = null): RecordedEvent => ({
  ...event('T', data),
  stream: 'a-1',
  revision: 0n,
  position,
  recordedAt: '2026-01-01T00:00:00.000Z',
})

it('what has dropped out of memory is let go of at once, however few events there are', () => {
  setFlagsFromString('--expose_gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const recent = createRecentEvents(0n, { maxEvents: 100, maxBytes: 100_000 })
  const dropped = (() => {
    const first = at(1n, 'x'.repeat(60_000))
    recent.add(first)
    recent.add(at(2n, 'x'.repeat(60_000)))
    expect(recent.floor()).toBe(1n)
    return new WeakRef(first)
  })()
  return vi.waitFor(() => {
    collectGarbage()
    expect(dropped.deref() === undefined).toBe(true)
  })
})
