import { describe, expect, it } from 'vitest'
import type { FixityEvent } from '#src/domain/fixity/events.ts'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import { by, claimed, given, history, observe, only, recorded, t, typesOf } from './commands.ts'
import { sha256 } from './witnesses.ts'

const millis = 10 * MINUTE

/** Recorded now, due later. */
const dueLater = (minutes: number): FixityEvent => ({
  type: 'ContentRecorded',
  data: { checksums: [sha256('A')], recordedFrom: 'manifest', at: t(0), dueAt: t(minutes) },
})
const parked = (): FixityEvent => ({ type: 'CheckParked', data: { run: 1, error: 'timeout', at: t(1) } })
const claim = (minutes: number, holder = 'worker-2') =>
  ({ type: 'Claim', ...by(minutes), holder, deadline: t(minutes + 10), millis }) as const
const request = (minutes: number, queue: 'high' | 'low' = 'high') =>
  ({ type: 'RequestCheck', ...by(minutes), queue, reason: 'after the storm' }) as const
const expire = (minutes: number) => ({ type: 'ExpireClaim', ...by(minutes) }) as const
const release = (fence: number) =>
  ({ type: 'ReleaseClaim', ...by(1), fence, reason: 'shutting down' }) as const
const extend = (minutes: number, fence: number, deadline: string) =>
  ({ type: 'ExtendClaim', ...by(minutes), fence, deadline }) as const

describe('asking for a check', () => {
  it('makes it due now', () => {
    const later = given(dueLater(99))
    later
      .when(request(1))
      .gives([{ type: 'CheckRequested', data: { queue: 'high', dueAt: t(1), reason: 'after the storm' } }])
    expect(later.when(request(1)).state).toMatchObject({ queue: 'high', dueAt: t(1) })
  })

  it('moves what is due in the low queue to the high one, but never back', () => {
    const due = given(recorded('A'))
    expect(only(due.when(request(1, 'high')).events, 'CheckRequested').queue).toBe('high')
    given(...history([recorded('A')], request(1, 'high')))
      .when(request(2, 'low'))
      .gives([])
  })

  it('is nothing new where it is already due in that queue', () => {
    given(recorded('A')).when(request(1, 'low')).gives([])
  })

  it('is nothing new while it is being worked on', () => {
    given(recorded('A'), claimed(0, 1)).when(request(9)).gives([])
    expect(given(recorded('A'), claimed(0, 1)).when(request(10)).events).toHaveLength(1)
  })

  it('starts a fresh run, so that no wait for records in flight is cut short', () => {
    const failed = history([recorded('A')], claim(0), expire(10))
    expect(given(...failed).state).toMatchObject({ run: 1, failures: 1 })
    expect(given(...failed).when(request(11)).state).toMatchObject({ run: 2, failures: 0 })
  })

  it('is refused for what nobody knows', () => {
    given().when(request(0)).gives('unknown-item')
  })
})

describe('claiming', () => {
  it('grants what is due, with the position in the run', () => {
    given(recorded('A'))
      .when(claim(0))
      .gives([
        {
          type: 'CheckClaimed',
          data: { holder: 'worker-2', fence: 1, deadline: t(10), millis, attempt: 'first', run: 1 },
        },
      ])
  })

  it.each([
    ['unknown-item', given().when(claim(0))],
    ['not-due', given(dueLater(1)).when(claim(0))],
    ['held', given(recorded('A'), claimed(0, 1)).when(claim(9))],
    ['parked', given(recorded('A'), parked()).when(claim(9))],
  ] as const)('is refused: %s', (code, outcome) => {
    outcome.gives(code)
  })

  it('over a claim that ran out counts that one as a failed attempt, and takes the next fence', () => {
    const { events, state } = given(recorded('A'), claimed(0, 1)).when(claim(10))
    expect(typesOf(events)).toEqual(['ClaimExpired', 'AttemptFailed', 'CheckClaimed'])
    expect(only(events, 'CheckClaimed')).toMatchObject({ fence: 2, attempt: 'penultimate' })
    expect(state).toMatchObject({ failures: 1, lastFence: 2, lease: { fence: 2 } })
  })

  it('parks an item that killed three workers, and grants nothing', () => {
    const twice = history([recorded('A')], claim(0), claim(10), claim(20))
    const { events, state } = given(...twice).when(claim(30))
    expect(typesOf(events)).toEqual(['ClaimExpired', 'AttemptFailed', 'CheckParked'])
    expect(state).toMatchObject({ parked: true, dueAt: null, run: 2, failures: 0 })
    given(...twice, ...events)
      .when(claim(31))
      .gives('parked')
  })
})

describe('holding a claim', () => {
  it('extends it, to what its holder says: its clock may have been put right', () => {
    const held = given(recorded('A'), claimed(0, 1))
    held.when(extend(5, 1, t(20))).gives([{ type: 'ClaimExtended', data: { fence: 1, deadline: t(20) } }])
    expect(held.when(extend(5, 1, t(20))).state.lease).toMatchObject({ deadline: t(20) })
    held.when(extend(5, 1, t(7))).gives([{ type: 'ClaimExtended', data: { fence: 1, deadline: t(7) } }])
  })

  it('is a word that differs from the one before', () => {
    given(recorded('A'), claimed(0, 1))
      .when(extend(5, 1, t(10)))
      .gives([{ type: 'ClaimExtended', data: { fence: 1, deadline: addMillis(t(10), 1) } }])
  })

  it('is over for who comes too late or was overtaken', () => {
    given(recorded('A'), claimed(0, 1))
      .when(extend(10, 1, t(20)))
      .gives('fenced')
    given(recorded('A'), claimed(0, 1), claimed(10, 2))
      .when(extend(11, 1, t(30)))
      .gives('fenced')
  })

  it('gives it back: due as before, and no attempt used up', () => {
    const held = given(recorded('A'), claimed(0, 1))
    held.when(release(1)).gives([{ type: 'ClaimReleased', data: { fence: 1, reason: 'shutting down' } }])
    const { state } = held.when(release(1))
    expect(state).toMatchObject({ failures: 0, dueAt: t(0), lastFence: 1 })
    expect(state.lease).toBeUndefined()
    held.when(release(2)).gives('fenced')
  })

  it('ends by the ticker once the deadline has passed, not before, and once', () => {
    const held = given(recorded('A'), claimed(0, 1))
    held.when(expire(9)).gives([])
    const { events, state } = held.when(expire(10))
    expect(typesOf(events)).toEqual(['ClaimExpired', 'AttemptFailed'])
    expect(only(events, 'AttemptFailed').error).toContain('worker-1')
    expect(state).toMatchObject({ dueAt: t(10), failures: 1 })
    given(recorded('A'), claimed(0, 1), ...events)
      .when(expire(11))
      .gives([])
  })
})

describe('a holder that lives, and had lost the log alone', () => {
  const silent = history([recorded('A')], claim(0), expire(10))

  it('has used up no attempt: it says so behind the expiry, once', () => {
    expect(given(...silent).state).toMatchObject({ failures: 1 })
    const back = given(...silent).when(release(1))
    back.gives([{ type: 'ClaimReleased', data: { fence: 1, reason: 'shutting down' } }])
    expect(back.state).toMatchObject({ run: 1, failures: 0, dueAt: t(10) })
    given(...silent, ...back.events)
      .when(release(1))
      .gives('fenced')
  })

  it('takes back its own attempt alone, whoever holds the item by then', () => {
    const others = history(silent, claim(10), expire(20), claim(20, 'worker-3'))
    expect(given(...others).state).toMatchObject({ failures: 2, lease: { fence: 3 } })
    given(...others)
      .when(release(1))
      .gives('fenced')
    expect(given(...others).when(release(2)).state).toMatchObject({
      failures: 1,
      lease: { holder: 'worker-3', fence: 3 },
    })
  })

  it('takes nothing back of a run that is over', () => {
    given(...history(silent, request(11)))
      .when(release(1))
      .gives('fenced')
    const parked = history(silent, claim(10), expire(20), claim(20), expire(30))
    given(...parked)
      .when(release(3))
      .gives('fenced')
  })
})

describe('a claim until tomorrow, of a clock that ran ahead', () => {
  const ahead = claim(24 * 60)
  const lasting = history([recorded('A')], ahead)
  const silence = { fence: 1, deadline: ahead.deadline, millis }
  const watched = (more: Partial<typeof silence> = {}) =>
    ({ ...expire(30), silence: { ...silence, ...more } }) as const

  it('ends where somebody saw that its holder was silent for as long as it says', () => {
    given(...lasting)
      .when(expire(30))
      .gives([])
    given(...lasting)
      .when(watched({ millis: millis - 1 }))
      .gives([])
    const { events, state } = given(...lasting).when(watched())
    expect(typesOf(events)).toEqual(['ClaimExpired', 'AttemptFailed'])
    expect(state).toMatchObject({ dueAt: t(30), failures: 1 })
  })

  it('does not where its holder was heard of since, or another has it', () => {
    given(...history(lasting, extend(10, 1, t(24 * 60 + 20))))
      .when(watched())
      .gives([])
    given(...history(lasting, release(1)), { ...claimed(24 * 60, 2) })
      .when(watched())
      .gives([])
  })

  it('an old one does not say how long: who watched knows', () => {
    const old = claimed(24 * 60, 1)
    expect(given(recorded('A'), old).when(watched()).events).toHaveLength(2)
  })
})

describe('a claim that a person ends', () => {
  const end = { type: 'EndClaim', ...by(2), reason: 'its machine burnt' } as const
  const held = given(recorded('A'), claimed(0, 1))

  it('is free at once, with no attempt used up, and what its holder reports is refused', () => {
    held.when(end).gives([{ type: 'ClaimReleased', data: { fence: 1, reason: 'its machine burnt' } }])
    expect(held.when(end).state).toMatchObject({ failures: 0, dueAt: t(0) })
    given(...history([recorded('A'), claimed(0, 1)], end))
      .when(observe('AAAA', 3, { fence: 1 }))
      .gives('fenced')
  })

  it('there must be one', () => {
    given(recorded('A')).when(end).gives('not-held')
    given().when(end).gives('unknown-item')
  })
})

describe('a parked item', () => {
  const revive = { type: 'ReviveCheck', ...by(50), reason: 'disk replaced' } as const

  it('comes back with a check that a person asks for, and with no other', () => {
    const asked = (queue: 'high' | 'low') =>
      given(recorded('A'), parked()).when({ type: 'RequestCheck', ...by(9), queue, reason: 'asked' })
    asked('low').gives('parked')
    expect(typesOf(asked('high').events)).toEqual(['CheckRequested'])
    expect(asked('high').state).toMatchObject({ parked: false, dueAt: t(9), failures: 0, run: 2 })
  })

  it('is revived by a person into a fresh run', () => {
    const waiting = given(recorded('A'), parked())
    waiting.when(revive).gives([{ type: 'CheckRevived', data: { reason: 'disk replaced', dueAt: t(50) } }])
    expect(waiting.when(revive).state).toMatchObject({
      parked: false,
      dueAt: t(50),
      queue: 'high',
      failures: 0,
      run: 2,
    })
  })

  it('only then', () => {
    given(recorded('A')).when(revive).gives('not-parked')
    given().when(revive).gives('unknown-item')
  })
})
