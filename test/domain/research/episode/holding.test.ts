import { describe, expect, it } from 'vitest'
import {
  curated,
  expired,
  extend,
  extended,
  given,
  granted,
  lapsed,
  notePassed,
  release,
  released,
  researched,
  revoke,
  revoked,
  revokedEffect,
  t,
  take,
  taken,
} from './episodes.ts'

const waiting = [curated, granted(0, 'l1', ['a', 'b'])]
const held = [...waiting, taken(1, 'l1')]

describe('taking', () => {
  it('before the item is stale: it is taken', () => {
    given(...waiting)
      .when(take(29, 'l1'))
      .gives([taken(29, 'l1')])
  })

  it('F4: a stale item is refused, though its lease goes on', () => {
    given(...waiting)
      .when(take(30, 'l1'))
      .gives('stale-item')
    given(...waiting, lapsed(30, 'l1'))
      .when(take(29, 'l1'))
      .gives('stale-item')
  })

  it('so is one whose lease has ended or expired', () => {
    given(...waiting, revoked(1, 'l1'))
      .when(take(2, 'l1'))
      .gives('stale-item')
    given(...waiting, expired(60, 'l1', 60))
      .when(take(2, 'l1'))
      .gives('stale-item')
    given(...held)
      .when(take(60, 'l1'))
      .gives('stale-item')
  })

  it('F5: the first one has it; another is told who', () => {
    const { result } = given(...held).when(take(2, 'l1', 'r2'))
    expect(result).toMatchObject({ left: { code: 'taken-by-another', details: { holder: 'r1' } } })
  })

  it('F14: again by the same: nothing changes, also when the item is stale by now', () => {
    given(...held)
      .when(take(2, 'l1'))
      .gives([])
    given(...held)
      .when(take(45, 'l1'))
      .gives([])
  })

  it('F14: again by the same, whom the log named otherwise before; nobody else is so', () => {
    const renamed = { researcher: 'personal:r', formerly: 'r1' }
    given(...held)
      .when({ ...take(2, 'l1'), ...renamed })
      .gives([])
    given(...held)
      .when({ ...take(2, 'l1'), researcher: 'personal:r', formerly: 'r2' })
      .gives('taken-by-another')
    given(...held)
      .when({ ...extend(20, 'l1'), ...renamed })
      .gives([
        {
          type: 'LeaseExtended',
          data: { lease: 'l1', researcher: 'personal:r', deadline: t(80), at: t(20) },
        },
      ])
    given(...held)
      .when({ ...release(20, 'l1'), researcher: 'personal:r', formerly: undefined })
      .gives('not-the-holder')
    // Nobody holds it: it is taken like any other.
    given(...waiting)
      .when({ ...take(2, 'l1'), researcher: 'personal:r', formerly: undefined })
      .gives([taken(2, 'l1', 'personal:r')])
  })

  it('of a lease that this episode does not know: refused', () => {
    given(...waiting)
      .when(take(1, 'l9'))
      .gives('unknown-lease')
  })
})

describe('extending', () => {
  it('X6: moves the deadline by the seconds of the lease', () => {
    given(...held)
      .when(extend(20, 'l1'))
      .gives([extended(20, 'l1', 80)])
  })

  it('F13: never back, and what moves nothing is no event', () => {
    given(...held, extended(20, 'l1', 80))
      .when(extend(10, 'l1'))
      .gives([])
    given(...held, extended(20, 'l1', 80))
      .when(extend(20, 'l1'))
      .gives([])
  })

  it('F29: not beyond the end of its longest life', () => {
    const history = [curated, granted(0, 'l1', ['a'], { endsBy: t(70) }), taken(1, 'l1')]
    given(...history)
      .when(extend(20, 'l1'))
      .gives([extended(20, 'l1', 70)])
    given(...history, extended(20, 'l1', 70))
      .when(extend(30, 'l1'))
      .gives([])
  })

  it('who extends an item that nobody took has taken it', () => {
    given(...waiting)
      .when(extend(20, 'l1'))
      .gives([taken(20, 'l1'), extended(20, 'l1', 80)])
  })

  it('is refused to others, and where the lease is over or was never', () => {
    given(...held)
      .when(extend(20, 'l1', 'r2'))
      .gives('not-the-holder')
    given(...held)
      .when(extend(60, 'l1'))
      .gives('lease-ended')
    given(...held, released(2, 'l1'))
      .when(extend(3, 'l1'))
      .gives('lease-ended')
    given(...held, expired(60, 'l1', 60))
      .when(extend(3, 'l1'))
      .gives('lease-ended')
    given(...held)
      .when(extend(3, 'l9'))
      .gives('unknown-lease')
  })
})

describe('giving back', () => {
  it('F16: its researcher releases it, before any clip is done', () => {
    given(...held)
      .when(release(5, 'l1'))
      .gives([released(5, 'l1')])
  })

  it('so does anybody while nobody has taken it, but no other afterwards', () => {
    given(...waiting)
      .when(release(5, 'l1'))
      .gives([released(5, 'l1')])
    given(...held)
      .when(release(5, 'l1', 'r2'))
      .gives('not-the-holder')
  })

  it('reasons are told where none is given', () => {
    const { reason: _, ...unsaid } = release(5, 'l1')
    const [event] = given(...held).when(unsaid).events
    expect(event).toMatchObject({ type: 'LeaseReleased', data: { reason: 'its researcher gave it back' } })
  })

  it('X7: a person revokes it, taken or not', () => {
    given(...waiting)
      .when(revoke(5, 'l1'))
      .gives([revoked(5, 'l1')])
    given(...held)
      .when(revoke(5, 'l1'))
      .gives([revoked(5, 'l1')])
  })

  it.each([
    ['released', released(2, 'l1')],
    ['revoked', revoked(2, 'l1')],
    ['expired', expired(60, 'l1', 60)],
    ['finished', researched(2, 'a', revokedEffect, { lease: 'l1', final: true })],
  ])('L40: what was %s ends once', (_, event) => {
    for (const command of [
      release(61, 'l1'),
      revoke(61, 'l1'),
      notePassed(61, 'NoteExpired', 'l1'),
      notePassed(61, 'NoteLapsed', 'l1'),
    ])
      given(...held, event)
        .when(command)
        .gives([])
  })

  it('one whose time has passed is written off as that', () => {
    given(...held)
      .when(release(60, 'l1'))
      .gives([expired(60, 'l1', 60)])
    given(...held)
      .when(revoke(60, 'l1'))
      .gives([expired(60, 'l1', 60, 1)])
  })

  it('of a lease that this episode does not know: refused', () => {
    given(...held)
      .when(release(1, 'l9'))
      .gives('unknown-lease')
    given(...held)
      .when(revoke(1, 'l9'))
      .gives('unknown-lease')
  })
})

describe('what the ticker saw', () => {
  it('an expiry is written once its time has passed, not before', () => {
    given(...held)
      .when(notePassed(59, 'NoteExpired', 'l1'))
      .gives([])
    given(...held)
      .when(notePassed(60, 'NoteExpired', 'l1'))
      .gives([expired(60, 'l1', 60, 1)])
    given(...held, extended(30, 'l1', 90))
      .when(notePassed(60, 'NoteExpired', 'l1'))
      .gives([])
  })

  it('L2, L28: an item lapses once, where nobody took it in time', () => {
    given(...waiting)
      .when(notePassed(29, 'NoteLapsed', 'l1'))
      .gives([])
    given(...waiting)
      .when(notePassed(30, 'NoteLapsed', 'l1'))
      .gives([lapsed(30, 'l1')])
    given(...waiting, lapsed(30, 'l1'))
      .when(notePassed(31, 'NoteLapsed', 'l1'))
      .gives([])
    given(...held)
      .when(notePassed(31, 'NoteLapsed', 'l1'))
      .gives([])
  })

  it('of a lease that this episode does not know: nothing', () => {
    given(...held)
      .when(notePassed(99, 'NoteExpired', 'l9'))
      .gives([])
    given(...held)
      .when(notePassed(99, 'NoteLapsed', 'l9'))
      .gives([])
  })
})
