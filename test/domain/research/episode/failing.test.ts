import { describe, expect, it } from 'vitest'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import {
  by,
  curate,
  curated,
  engine,
  expired,
  extendedTo,
  fail,
  failed,
  given,
  grant,
  granted,
  none,
  reason,
  reopen,
  report,
  researched,
  revokedEffect,
  t,
  taken,
} from './episodes.ts'

const held = [curated, granted(0, 'l1', ['a', 'b']), taken(1, 'l1')]
const inLease = { lease: 'l1' }
/** Attempts of the policy: 3, five minutes apart at first. */
const first = { attempt: 1, retryAt: t(25) }
const second = { attempt: 2, retryAt: t(30) }
const third = { attempt: 3 }

const retry = { type: 'Retry', ...by(30), reason } as const
const retried: EpisodeEvent = { type: 'Retried', data: { reason, at: t(30) } }

describe('F22: an episode that cannot be had', () => {
  it('is tried again later, ever later, and parked at the last attempt', () => {
    const one = failed(20, 'episode', none('no-lease'), first)
    const two = failed(25, 'episode', none('no-lease'), { attempt: 2, retryAt: t(35) })
    const three = failed(35, 'episode', none('no-lease'), third)
    given(curated).when(fail(20, 'episode')).gives([one])
    given(curated, one).when(fail(25, 'episode')).gives([two])
    given(curated, one, two).when(fail(35, 'episode')).gives([three])
    given(curated, one, two, three)
      .when(fail(36, 'episode'))
      .gives([failed(36, 'episode', none('no-lease'), { attempt: 4 })])
  })

  it('X8: an outage that several researchers meet is one failure: none counts again before its next attempt', () => {
    const one = failed(20, 'episode', none('no-lease'), first)
    const again = failed(24, 'episode', none('no-lease'), first)
    given(curated, one).when(fail(24, 'episode')).gives([again])
    given(curated, one, again, again)
      .when(fail(25, 'episode'))
      .gives([failed(25, 'episode', none('no-lease'), { attempt: 2, retryAt: t(35) })])
  })

  it('F26: nor does one of an intake whose clock lags', () => {
    const one = failed(20, 'episode', none('no-lease'), first)
    given(curated, one)
      .when(fail(10, 'episode'))
      .gives([failed(10, 'episode', none('no-lease'), first)])
  })

  it('ends its lease, final or not: nothing else in it can be done', () => {
    given(...held)
      .when(fail(20, 'episode', inLease))
      .gives([failed(20, 'episode', revokedEffect, { ...inLease, ...first })])
    given(...held, failed(20, 'episode', revokedEffect, { ...inLease, ...first }))
      .when(grant(21, { l2: ['a', 'b'] }))
      .gives([granted(21, 'l2', ['a', 'b'], { fence: 2 })])
  })

  it('counts when it is told late, too', () => {
    given(...held)
      .when(fail(60, 'episode', inLease))
      .gives([
        expired(60, 'l1', 60),
        failed(60, 'episode', none('expired'), { ...inLease, attempt: 1, retryAt: t(65) }),
      ])
  })

  it('any result forgets its failures: it can be had', () => {
    const one = failed(20, 'episode', none('no-lease'), first)
    given(curated, one, researched(21, 'a', none('no-lease')))
      .when(fail(20, 'episode'))
      .gives([one])
    given(curated, one, researched(21, 'a', none('no-lease'), { repeat: true }))
      .when(fail(20, 'episode'))
      .gives([one])
  })
})

describe('F22: a pair that cannot be searched', () => {
  const one = failed(20, 'pair', extendedTo(80), { ...inLease, ...first })
  const two = failed(20, 'pair', extendedTo(80), { ...inLease, ...second })

  it('is counted for itself, and the lease goes on for the others', () => {
    given(...held)
      .when(fail(20, 'pair', inLease))
      .gives([one])
    given(...held, one)
      .when(fail(20, 'pair', inLease))
      .gives([two])
    given(...held, one, two)
      .when(fail(20, 'pair', inLease))
      .gives([failed(20, 'pair', extendedTo(80), { ...inLease, ...third })])
    given(...held, one)
      .when(fail(20, 'pair', { ...inLease, clip: 'b' }))
      .gives([failed(20, 'pair', extendedTo(80), { ...inLease, ...first, clip: 'b' })])
  })

  it('L36: a final failure ends the lease as a final result does', () => {
    given(...held)
      .when(fail(20, 'pair', { ...inLease, final: true }))
      .gives([failed(20, 'pair', revokedEffect, { ...inLease, ...first })])
  })

  it('its own result forgets its failures, that of another pair does not', () => {
    given(...held, one, researched(21, 'b', none('no-lease')))
      .when(fail(20, 'pair', inLease))
      .gives([two])
    given(...held, one, researched(21, 'a', none('no-lease')), {
      type: 'Reopened',
      data: { reason, at: t(22) },
    })
      .when(fail(20, 'pair', inLease))
      .gives([one])
  })

  it('one that is done already is not counted: it needs no attempt', () => {
    given(...held, researched(10, 'a', none('no-lease')))
      .when(fail(20, 'pair', inLease))
      .gives([failed(20, 'pair', extendedTo(80), inLease)])
  })

  it('of an item that nobody took: it is taken', () => {
    given(curated, granted(0, 'l1', ['a']))
      .when(fail(20, 'pair', inLease))
      .gives([taken(20, 'l1'), one])
  })
})

it('a clip that cannot be had is counted in its own stream; here its lease goes on', () => {
  given(...held, failed(20, 'clip', extendedTo(80), inLease))
    .when(fail(20, 'clip', inLease))
    .gives([failed(20, 'clip', extendedTo(80), inLease)])
})

describe('trying again', () => {
  const one = failed(20, 'episode', none('no-lease'), first)
  const pair = failed(20, 'pair', none('no-lease'), first)

  it('X8: by a person: failures of the episode and its pairs are forgotten', () => {
    given(curated, one).when(retry).gives([retried])
    given(curated, pair).when(retry).gives([retried])
    given(curated, one, pair, retried).when(retry).gives([])
    given(curated, one, pair, retried).when(fail(20, 'episode')).gives([one])
    given(curated, one, pair, retried).when(fail(20, 'pair')).gives([pair])
  })

  it('nothing failed: nothing changes, or there is no such episode', () => {
    given(curated).when(retry).gives([])
    given().when(retry).gives('never-curated')
  })

  it('X9: another address of its media is worth another attempt', () => {
    const mediaUri = 'https://media.example/4611-again.mp3'
    const { type, data } = curated
    if (type !== 'Curated') return expect.fail()
    const { firstCuratedAt: _, ...details } = data
    const amended: EpisodeEvent = {
      type: 'Amended',
      data: { ...details, mediaUri, curatedAt: t(30), at: t(30) },
    }
    const moved: EpisodeEvent = {
      type: 'Retried',
      data: { reason: 'its media has another address', at: t(30) },
    }
    given(curated, one).when(curate(30, { mediaUri })).gives([amended, moved])
    given(curated).when(curate(30, { mediaUri })).gives([amended])
    given(curated, one)
      .when(curate(30, { title: 'other' }))
      .gives([{ type: 'Amended', data: { ...details, title: 'other', curatedAt: t(30), at: t(30) } }])
  })
})

describe('X9: researching again', () => {
  const newer = { ...engine, version: '2' }
  const done = [
    curated,
    researched(0, 'a', none('no-lease')),
    researched(0, 'b', none('no-lease'), { engine: newer }),
  ]
  const reopened = (which: { engines?: string[]; clips?: string[] } = {}): EpisodeEvent => ({
    type: 'Reopened',
    data: { reason, at: t(5), ...which },
  })

  it.each<[string, { engines?: string[]; clips?: string[] }, readonly string[]]>([
    ['all', {}, ['a', 'b']],
    ['those of an engine', { engines: ['correlator 1'] }, ['a']],
    ['those of a clip', { clips: ['b', 'never seen'] }, ['b']],
    ['those of an engine and a clip', { engines: ['correlator 1', 'other 1'], clips: ['a', 'b'] }, ['a']],
  ])('%s', (_, which, open) => {
    given(...done)
      .when(reopen(5, which))
      .gives([reopened(which)])
    for (const clip of ['a', 'b'])
      given(...done, reopened(which))
        .when(report(6, clip))
        .gives([researched(6, clip, none('no-lease'), { repeat: !open.includes(clip) })])
  })

  it('the new result counts, by its engine', () => {
    const { state } = given(...done, reopened({ clips: ['a'] })).when(
      report(6, 'a', undefined, { engine: newer }),
    )
    expect([...state.researched.keys()]).toEqual(['correlator 2'])
  })

  it('a request that is heard again, long after, means what was done when it was made', () => {
    given(...done)
      .when({ ...reopen(5), doneBy: t(-1) })
      .gives([])
    given(...done)
      .when({ ...reopen(5), doneBy: t(0) })
      .gives([reopened()])
    // One engine's work is older than the request, the other's is not.
    given(
      curated,
      researched(0, 'a', none('no-lease')),
      researched(4, 'b', none('no-lease'), { engine: newer }),
    )
      .when({ ...reopen(5), doneBy: t(2) })
      .gives([reopened({ engines: ['correlator 1'] })])
    // Done, reopened by that request, and done again since.
    given(...done, reopened(), researched(6, 'a', none('no-lease')))
      .when({ ...reopen(5), doneBy: t(5) })
      .gives([])
  })

  it('no event where nothing would change', () => {
    given(curated).when(reopen(5)).gives([])
    given().when(reopen(5)).gives([])
    given(...done, reopened())
      .when(reopen(5))
      .gives([])
    given(...done)
      .when(reopen(5, { engines: ['correlator 2'], clips: ['a'] }))
      .gives([])
  })
})
