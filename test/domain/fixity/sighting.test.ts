import { describe, expect, it } from 'vitest'
import { by, claimed, given, history, observe, only, recorded, t, typesOf } from './commands.ts'

const sight = (minutes: number, more: { isDeleted?: boolean; sightedAt?: string } = {}) =>
  ({
    type: 'SightContent',
    ...by(minutes, 'bucket'),
    isDeleted: false,
    sightedAt: t(minutes - 1),
    ...more,
  }) as const
/** Recorded, and found as recorded. */
const verified = history([recorded('A')], observe('AAAA', 10))

describe('content that is sighted', () => {
  it('is checked at once where nobody recorded it: F9 after the lag', () => {
    const events = history([], sight(1), observe('A?--', 2), observe('A?--', 3), observe('A?--', 9))
    expect(events[0]).toEqual({
      type: 'CheckRequested',
      data: { queue: 'high', dueAt: t(1), reason: `the storage tells of an upload at ${t(0)}` },
    })
    expect(only(events.slice(-2), 'FixityDecided')).toMatchObject({ row: 'F9', outcome: 'failure' })
  })

  it('is checked ahead of its schedule where it is recorded', () => {
    expect(only(given(...verified).when(sight(20)).events, 'CheckRequested')).toMatchObject({
      queue: 'high',
      dueAt: t(20),
    })
    expect(
      only(given(...verified).when(sight(20, { isDeleted: true })).events, 'CheckRequested').reason,
    ).toContain('a deletion')
  })

  it('is checked ahead of its schedule where batches alone have checked it, which its own events do not tell', () => {
    for (const isDeleted of [false, true])
      expect(typesOf(given(recorded('A')).when(sight(20, { isDeleted })).events)).toEqual(['CheckRequested'])
  })

  it('is no news where it waits in the high queue, or was observed well after the change', () => {
    given(...history([recorded('A')], sight(1)))
      .when(sight(2, { isDeleted: true }))
      .gives([])
    given(...verified)
      .when(sight(30, { sightedAt: t(-6) }))
      .gives([])
    // Clocks may differ by a quarter of an hour.
    expect(given(...verified).when(sight(30, { sightedAt: t(-4) })).events).toHaveLength(1)
  })

  it('takes a check under way from its worker, which may have read the bytes of before', () => {
    const busy = given(recorded('A'), claimed(0, 1))
    expect(typesOf(busy.when(sight(1)).events)).toEqual(['ClaimReleased', 'CheckRequested'])
    const events = history([recorded('A'), claimed(0, 1)], sight(1))
    given(...events)
      .when(observe('AAAA', 2, { fence: 1 }))
      .gives('fenced')
  })

  it('is checked again although it was parked', () => {
    const parked = { type: 'CheckParked', data: { run: 1, error: 'timeout', at: t(1) } } as const
    expect(given(recorded('A'), parked).when(sight(20)).state).toMatchObject({ parked: false, dueAt: t(20) })
  })

  it('and is gone, and was never known, is nothing', () => {
    given()
      .when(sight(1, { isDeleted: true }))
      .gives([])
  })
})
