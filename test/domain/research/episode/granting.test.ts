import { describe, expect, it } from 'vitest'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import {
  curated,
  expired,
  extendedTo,
  given,
  grant,
  granted,
  none,
  reason,
  released,
  report,
  researched,
  revoked,
  revokedEffect,
  t,
  take,
  taken,
} from './episodes.ts'

describe('granting', () => {
  it('L24: a lease has its id, its clips and its end; the episode is the stream', () => {
    given(curated)
      .when(grant(0, { l1: ['a', 'b'] }))
      .gives([granted(0, 'l1', ['a', 'b'])])
  })

  it('L26, L27, L28: its item has an absolute end of its own, before that of the lease', () => {
    const [event] = given(curated).when(grant(0, { l1: ['a'] })).events
    if (event?.type !== 'LeaseGranted') return expect.fail('no lease')
    expect(event.data).toMatchObject({ notAfter: t(30), deadline: t(60), leaseSeconds: 3600, policy: 3 })
  })

  it('F29: its longest life ends at an instant that stands from the start', () => {
    given(curated)
      .when(grant(0, { l1: ['a'] }, { longestLeaseSeconds: 7200 }))
      .gives([granted(0, 'l1', ['a'], { endsBy: t(120) })])
  })

  it('L22: several leases in one command, each with a fence of its own', () => {
    given(curated)
      .when(grant(0, { l1: ['a', 'b'], l2: ['c'] }))
      .gives([granted(0, 'l1', ['a', 'b']), granted(0, 'l2', ['c'], { fence: 2 })])
  })

  it('fences go on where leases have ended', () => {
    given(curated, granted(0, 'l1', ['a']), revoked(1, 'l1'))
      .when(grant(2, { l2: ['a'] }))
      .gives([granted(2, 'l2', ['a'], { fence: 2 })])
  })

  it('F18: a clip that came during a lease is free beside it', () => {
    given(curated, granted(0, 'l1', ['a']))
      .when(grant(1, { l2: ['new'] }))
      .gives([granted(1, 'l2', ['new'], { fence: 2 })])
  })

  it('F2: a pair under an active lease is not leased again, and the refusal says until when', () => {
    const { result } = given(curated, granted(0, 'l1', ['a', 'b'])).when(grant(1, { l2: ['c', 'b'] }))
    expect(result).toMatchObject({
      left: {
        code: 'pair-taken',
        details: { clip: 'b', because: 'leased', lease: 'l1', until: t(60) },
      },
    })
  })

  it('L19: a researched pair is not leased again, also when no lease led to it', () => {
    const { result } = given(curated, researched(0, 'a', none('no-lease'))).when(grant(1, { l1: ['a'] }))
    expect(result).toMatchObject({
      left: { code: 'pair-taken', details: { clip: 'a', because: 'researched' } },
    })
  })

  it.each<[string, Readonly<Record<string, readonly string[]>>]>([
    ['in one lease', { l1: ['a', 'a'] }],
    ['in two', { l1: ['a'], l2: ['b', 'a'] }],
  ])('F1: the same pair twice %s: refused', (_, leases) => {
    given(curated).when(grant(0, leases)).gives('pair-taken')
  })

  it('F2: all or none', () => {
    given(curated, granted(0, 'l1', ['a']))
      .when(grant(1, { l2: ['b'], l3: ['a'] }))
      .gives('pair-taken')
  })

  it('a lease without clips: refused', () => {
    given(curated)
      .when(grant(0, { l1: [] }))
      .gives('no-clips')
  })

  it('granted again by its id: nothing changes, whatever became of it', () => {
    const again = grant(5, { l1: ['a'] })
    given(curated, granted(0, 'l1', ['a']))
      .when(again)
      .gives([])
    given(curated, granted(0, 'l1', ['a']), revoked(1, 'l1'))
      .when(again)
      .gives([])
    given(curated, granted(0, 'l1', ['a']), expired(60, 'l1', 60))
      .when(grant(61, { l1: ['a'] }))
      .gives([])
    given(curated, granted(0, 'l1', ['a']))
      .when(grant(5, { l1: ['a'], l2: ['b'] }))
      .gives([granted(5, 'l2', ['b'], { fence: 2 })])
  })

  it.each<[string, readonly EpisodeEvent[]]>([
    ['never-curated', []],
    ['never-curated', [researched(0, 'a', none('no-lease'))]],
    ['withdrawn', [curated, { type: 'Withdrawn', data: { curator: 'podcast-feed', at: t(0) } }]],
    ['excluded', [curated, { type: 'Excluded', data: { reason, at: t(0) } }]],
  ])('of an episode that is not handed out: refused as %s', (code, history) => {
    const { result } = given(...history).when(grant(1, { l1: ['b'] }))
    expect(result).toMatchObject({ left: { code } })
  })

  it('of one that is seen again, or included again: granted', () => {
    const placed = { reason, at: t(0) }
    given(curated, { type: 'Excluded', data: placed }, { type: 'Included', data: placed })
      .when(grant(1, { l1: ['b'] }))
      .gives([granted(1, 'l1', ['b'])])
  })
})

describe('freeing', () => {
  const leased = [curated, granted(0, 'l1', ['a', 'b'])]
  const again = [granted(2, 'l2', ['a', 'b'], { fence: 2 })]

  it('L29: at the deadline the pairs are free, no event has to arrive; that is written down with what rests on it', () => {
    given(...leased)
      .when(grant(59, { l2: ['a'] }))
      .gives('pair-taken')
    given(...leased)
      .when(grant(60, { l2: ['a'] }))
      .gives([expired(60, 'l1', 60), granted(60, 'l2', ['a'], { fence: 2 })])
  })

  it('L29: when the expiry is on record already it is not written twice', () => {
    given(...leased, expired(60, 'l1', 60))
      .when(grant(61, { l2: ['a'] }))
      .gives([granted(61, 'l2', ['a'], { fence: 2 })])
  })

  it('F26: a clock that lags cannot bring back a lease that another clock has seen expire', () => {
    const history = [...leased, taken(1, 'l1'), expired(60, 'l1', 60), granted(60, 'l2', ['a'], { fence: 2 })]
    given(...history)
      .when(report(59, 'a', 'l1'))
      .gives([researched(59, 'a', none('expired'), { lease: 'l1' })])
    given(...history)
      .when(take(59, 'l1', 'r2'))
      .gives('stale-item')
  })

  it('L28: an item that lapsed holds its pairs until its lease ends', () => {
    given(...leased)
      .when(grant(45, { l2: ['a'] }))
      .gives('pair-taken')
  })

  it.each<[string, EpisodeEvent]>([
    ['L36: a final result', researched(1, 'c', revokedEffect, { lease: 'l1', final: true })],
    ['F16: a release', released(1, 'l1')],
    ['X7: a revocation', revoked(1, 'l1')],
  ])('%s frees the pairs at once', (_, event) => {
    given(...leased, event)
      .when(grant(2, { l2: ['a', 'b'] }))
      .gives(again)
  })

  it('L34: an extension holds all clips of the lease past the old deadline', () => {
    const history = [...leased, taken(1, 'l1'), researched(50, 'a', extendedTo(110), { lease: 'l1' })]
    given(...history)
      .when(grant(100, { l2: ['b'] }))
      .gives('pair-taken')
    given(...history)
      .when(grant(110, { l2: ['b'] }))
      .gives([expired(110, 'l1', 110), granted(110, 'l2', ['b'], { fence: 2 })])
  })

  it('L41, F7: without a final, done pairs stay done and open ones come back', () => {
    const history = [...leased, taken(1, 'l1'), researched(10, 'a', extendedTo(70), { lease: 'l1' })]
    given(...history)
      .when(grant(70, { l2: ['a'] }))
      .gives('pair-taken')
    given(...history)
      .when(grant(70, { l2: ['b'] }))
      .gives([expired(70, 'l1', 70), granted(70, 'l2', ['b'], { fence: 2 })])
  })

  it('L37: a pair that was done without a lease is done, and its own lease goes on', () => {
    given(...leased, researched(1, 'a', none('no-lease')))
      .when(grant(2, { l2: ['b'] }))
      .gives('pair-taken')
  })
})
