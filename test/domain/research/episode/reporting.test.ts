import { describe, expect, it } from 'vitest'
import {
  curated,
  engine,
  expired,
  extendedTo,
  failed,
  given,
  grant,
  granted,
  lapsed,
  none,
  released,
  report,
  researched,
  revoked,
  revokedEffect,
  t,
  taken,
} from './episodes.ts'

const waiting = [curated, granted(0, 'l1', ['a', 'b', 'c'])]
const held = [...waiting, taken(1, 'l1')]
const inLease = { lease: 'l1' }
const finalOne = { ...inLease, final: true }

describe('a result under an active lease', () => {
  it('L32, L33: is kept and moves the deadline out, in one event', () => {
    given(...held)
      .when(report(20, 'a', 'l1'))
      .gives([researched(20, 'a', extendedTo(80), inLease)])
  })

  it('keeps all that was found', () => {
    const found = {
      matches: [{ offset: 17, score: 0.9 }],
      episodeHash: 'e',
      clipHash: 'c',
      bestScore: 0.9,
      note: 'loud',
    }
    given(...held)
      .when(report(20, 'a', 'l1', found))
      .gives([researched(20, 'a', extendedTo(80), { ...inLease, ...found })])
  })

  it('L43: nothing found closes the pair as well', () => {
    given(...held, researched(20, 'a', extendedTo(80), { ...inLease, matches: [] }))
      .when(report(21, 'a', 'l1'))
      .gives([researched(21, 'a', extendedTo(81), { ...inLease, repeat: true })])
  })

  it('F13: out of order, the deadline never moves back', () => {
    given(...held, researched(20, 'a', extendedTo(80), inLease))
      .when(report(10, 'b', 'l1'))
      .gives([researched(10, 'b', extendedTo(80), inLease)])
  })

  it('F29: at the end of its longest life it is extended no more', () => {
    given(curated, granted(0, 'l1', ['a'], { endsBy: t(70) }), taken(1, 'l1'))
      .when(report(20, 'a', 'l1'))
      .gives([researched(20, 'a', extendedTo(70), inLease)])
  })

  it('settings of the grant hold, whatever was set since', () => {
    const short = granted(0, 'l1', ['a'])
    if (short.type !== 'LeaseGranted') return expect.fail()
    given(curated, { ...short, data: { ...short.data, leaseSeconds: 600 } }, taken(1, 'l1'))
      .when(report(55, 'a', 'l1'))
      .gives([researched(55, 'a', extendedTo(65), inLease)])
  })

  it('L35, L36: a final one ends it, and does not extend it first', () => {
    given(...held)
      .when(report(20, 'a', 'l1', { final: true }))
      .gives([researched(20, 'a', revokedEffect, finalOne)])
  })

  it('L1, L2: whoever reports on an item that nobody took has taken it', () => {
    given(...waiting)
      .when(report(20, 'a', 'l1'))
      .gives([taken(20, 'l1'), researched(20, 'a', extendedTo(80), inLease)])
    given(...waiting)
      .when(report(20, 'a', 'l1', { final: true }))
      .gives([taken(20, 'l1'), researched(20, 'a', revokedEffect, finalOne)])
    given(...waiting, lapsed(30, 'l1'))
      .when(report(40, 'a', 'l1'))
      .gives([taken(40, 'l1'), researched(40, 'a', extendedTo(100), inLease)])
  })

  it('F5: of another than the holder it is kept, marked, and counts by its lease', () => {
    given(...held)
      .when(report(20, 'a', 'l1', { researcher: 'r2' }))
      .gives([researched(20, 'a', extendedTo(80), { ...inLease, researcher: 'r2', notTheHolder: true })])
    given(...held)
      .when({ ...report(20, 'a', 'l1', { researcher: 'personal:r' }), formerly: 'r1' })
      .gives([researched(20, 'a', extendedTo(80), { ...inLease, researcher: 'personal:r' })])
  })

  it('F28: of a pair that is not in it: kept, extended, marked', () => {
    given(...held)
      .when(report(20, 'z', 'l1'))
      .gives([researched(20, 'z', extendedTo(80), { ...inLease, outsideLease: true })])
  })

  it('F18: also that of a clip that came during the lease', () => {
    const history = [...held, granted(2, 'l2', ['new'], { fence: 2 })]
    given(...history)
      .when(report(20, 'new', 'l1'))
      .gives([researched(20, 'new', extendedTo(80), { ...inLease, outsideLease: true })])
  })

  it('F15: all clips done and the final lost: the pairs are done, the lease lingers', () => {
    const done = ['a', 'b', 'c'].map((clip) => researched(2, clip, extendedTo(62), inLease))
    given(...held, ...done)
      .when(grant(3, { l2: ['a'] }))
      .gives('pair-taken')
    given(...held, ...done)
      .when(grant(3, { l2: ['d'] }))
      .gives([granted(3, 'l2', ['d'], { fence: 2 })])
  })

  it('F26: a researcher whose clock runs ahead found nothing later than now', () => {
    const [event] = given(...held).when(report(20, 'a', 'l1', { researchedAt: t(500) })).events
    expect(event).toMatchObject({ data: { researchedAt: t(20), effect: extendedTo(80) } })
  })
})

describe('L37: revoked, absent and expired leases are alike: the result is kept, nothing is extended, created or revived', () => {
  it('without a lease', () => {
    given(...held)
      .when(report(20, 'a'))
      .gives([researched(20, 'a', none('no-lease'))])
  })

  it('of a lease that was never granted on this episode', () => {
    given(...held)
      .when(report(20, 'a', 'l9'))
      .gives([researched(20, 'a', none('unknown'), { lease: 'l9' })])
  })

  it.each([
    ['released', released(10, 'l1')],
    ['revoked', revoked(10, 'l1')],
    ['finished', researched(10, 'b', revokedEffect, finalOne)],
    ['given up, since the episode could not be had', failed(10, 'episode', revokedEffect, inLease)],
  ])('%s', (_, event) => {
    const { result, state } = given(...held, event).when(report(20, 'a', 'l1'))
    expect(result).toEqual({
      _tag: 'Right',
      right: [researched(20, 'a', none('ended'), inLease)],
    })
    expect(state.leases.open.size).toBe(0)
  })

  it('F8, F12: expired; that is written down with the first result that found it so', () => {
    given(...held)
      .when(report(60, 'a', 'l1'))
      .gives([expired(60, 'l1', 60), researched(60, 'a', none('expired'), inLease)])
    given(...held, expired(60, 'l1', 60), researched(60, 'a', none('expired'), inLease))
      .when(report(61, 'b', 'l1'))
      .gives([researched(61, 'b', none('expired'), inLease)])
  })

  it('L39: a late final ends nothing', () => {
    given(...held, expired(60, 'l1', 60), granted(61, 'l2', ['a', 'b'], { fence: 2 }))
      .when(report(62, 'a', 'l1', { final: true }))
      .gives([researched(62, 'a', none('expired'), finalOne)])
  })

  it('F27: of an episode that no curator has seen', () => {
    given()
      .when(report(20, 'a', 'l1'))
      .gives([researched(20, 'a', none('unknown'), inLease)])
  })

  it('an item that nobody took is not taken by what comes too late', () => {
    given(...waiting, revoked(10, 'l1'))
      .when(report(20, 'a', 'l1'))
      .gives([researched(20, 'a', none('ended'), inLease)])
  })
})

describe('the same pair again', () => {
  it('F11: is kept as a repeat, counts once, and extends its own lease', () => {
    const history = [...held, researched(10, 'a', none('no-lease'))]
    given(...history)
      .when(report(20, 'a', 'l1'))
      .gives([researched(20, 'a', extendedTo(80), { ...inLease, repeat: true })])
  })

  it('F14: a second final is a repeat that ends nothing', () => {
    given(...held, researched(20, 'a', revokedEffect, finalOne))
      .when(report(21, 'a', 'l1', { final: true }))
      .gives([researched(21, 'a', none('ended'), { ...finalOne, repeat: true })])
  })

  it('X9: by another engine it is a repeat too; the first one counts', () => {
    const other = { ...engine, version: '2' }
    const { state } = given(...held, researched(10, 'a', extendedTo(70), inLease)).when(
      report(20, 'a', 'l1', { engine: other }),
    )
    expect([...state.researched.keys()]).toEqual(['correlator 1'])
  })
})

it('of a lease that ended the state keeps a number, of a result a bit', () => {
  const lives = Array.from({ length: 50 }, (_, i) => [
    granted(i, `l${i}`, ['z'], { fence: i + 1 }),
    taken(i, `l${i}`),
    researched(i, 'a', revokedEffect, { lease: `l${i}`, final: true, repeat: i > 0 }),
  ]).flat()
  const { state } = given(curated, ...lives)
  expect(state.leases.open.size).toBe(0)
  expect(state.leases.ended).toHaveLength(50)
  expect(state.researched.size).toBe(1)
  expect(state.researched.get('correlator 1')?.clips.length).toBeLessThan(32)
})
