import { describe, expect, it } from 'vitest'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { awaySecondsOf, defaultPolicy, type StoreEvent } from '#src/domain/fixity/store/events.ts'
import { standingOf } from '#src/domain/fixity/store/sightings.ts'
import { addMillis, HOUR } from '#src/domain/kernel/time.ts'
import { specify } from '../../../given.ts'

const given = specify(storeDecider)
const start = '2026-01-31T12:00:00.000Z'
/** So many hours after the start. */
const h = (hours: number) => addMillis(start, hours * HOUR)
const by = (hours: number) => ({ store: 'main', actor: 'ada', at: h(hours) })
const policy = { ...defaultPolicy, awaySeconds: 10 * 3600 }

const registered: StoreEvent = {
  type: 'StoreRegistered',
  data: { kind: 'folder', root: '/archive', policy, at: h(0) },
}
const external: StoreEvent = { type: 'StoreRegistered', data: { kind: 'external', policy, at: h(0) } }
const sight = (hours: number, isThere: boolean, place = 'one') =>
  ({ type: 'Sight', ...by(hours), place, isThere, why: 'empty' }) as const
const away = (hours: number, place = 'one'): StoreEvent => ({
  type: 'StoreAway',
  data: { place, why: 'empty', at: h(hours) },
})
const returned = (hours: number, since?: number, place = 'one'): StoreEvent => ({
  type: 'StoreReturned',
  data: { place, at: h(hours), ...(since !== undefined && { since: h(since) }) },
})
const gone = (hours: number): StoreEvent => ({ type: 'StoreGone', data: { reason: 'flood', at: h(hours) } })
const declare = (hours: number) => ({ type: 'DeclareGone', ...by(hours), reason: 'flood' }) as const
const note = (hours: number) => ({ type: 'NoteGone', ...by(hours) }) as const

/** Where the store stands after these events, so many hours after the start. */
const standing = (hours: number, ...events: readonly StoreEvent[]) => {
  const { state } = given(registered, ...events)
  return state && standingOf(state.sightings, awaySecondsOf(state.policy), h(hours))
}

describe('the root of a store in a bucket', () => {
  const inBucket = (root: string): StoreEvent => ({
    type: 'StoreRegistered',
    data: { kind: 'folder', root, policy, at: h(0) },
  })
  const register = (root: string) =>
    ({ type: 'RegisterStore', ...by(1), kind: 'folder', root, policy }) as const

  it('is one with a slash at its end and without, also where an older program kept the slash', () => {
    given()
      .when(register('s3://b/p/'))
      .gives([{ type: 'StoreRegistered', data: { kind: 'folder', root: 's3://b/p', policy, at: h(1) } }])
    for (const kept of ['s3://b/p', 's3://b/p/'])
      for (const root of ['s3://b/p', 's3://b/p/']) given(inBucket(kept)).when(register(root)).gives([])
  })

  it('is the same for a move', () => {
    const proof = { same: 1, byRecord: 0, inNeither: 0, bytes: 1 }
    const move = {
      type: 'MoveStore',
      ...by(1),
      from: '/archive',
      root: 's3://b/p/',
      proof,
      reason: 'x',
    } as const
    given(registered)
      .when(move)
      .gives([
        { type: 'StoreMoved', data: { from: '/archive', root: 's3://b/p', proof, reason: 'x', at: h(1) } },
      ])
    given(inBucket('s3://b/p')).when(move).gives([])
  })
})

describe('a store of which nothing is found', () => {
  it('is away from the first word on, which is said once', () => {
    given(registered)
      .when(sight(1, false))
      .gives([away(1)])
    given(registered, away(1)).when(sight(2, false)).gives([])
    expect(standing(2, away(1))).toEqual({ kind: 'away', since: h(1) })
  })

  it('is told anew where something else is found instead, and away since the first word', () => {
    const locked = { place: 'one', why: 'locked', at: h(2) }
    given(registered, away(1))
      .when({ ...sight(2, false), why: 'locked' })
      .gives([{ type: 'StoreAway', data: locked }])
    given(registered, away(1), { type: 'StoreAway', data: locked })
      .when({ ...sight(3, false), why: 'locked' })
      .gives([])
    expect(standing(2, away(1), { type: 'StoreAway', data: locked })).toEqual({ kind: 'away', since: h(1) })
    given(registered, away(1), gone(2))
      .when({ ...sight(3, false), why: 'locked' })
      .gives([])
  })

  it('is there again with the first thing that is found, which says since when it was away', () => {
    given(registered, away(1))
      .when(sight(3, true))
      .gives([returned(3, 1)])
    expect(standing(3, away(1), returned(3, 1))).toEqual({ kind: 'there' })
  })

  it('is nothing to be told where it is found, as always', () => {
    given(registered).when(sight(1, true)).gives([])
    given(registered, away(1), returned(2, 1)).when(sight(3, true)).gives([])
  })

  it('is gone after as long as its policy waits, without any event; the ticker says it once', () => {
    expect(standing(10, away(1))).toMatchObject({ kind: 'away' })
    expect(standing(11, away(1))).toEqual({ kind: 'gone', since: h(1) })
    given(registered, away(1)).when(note(10)).gives([])
    const { events } = given(registered, away(1)).when(note(11))
    expect(events).toMatchObject([
      { type: 'StoreGone', data: { at: h(11), reason: expect.stringContaining(h(1)) } },
    ])
    given(registered, away(1), ...events)
      .when(note(12))
      .gives([])
  })

  it('is gone by a person’s word, before anybody looked, too; once', () => {
    given(registered, away(1))
      .when(declare(2))
      .gives([gone(2)])
    given(registered)
      .when(declare(2))
      .gives([gone(2)])
    given(registered, gone(2)).when(declare(3)).gives([])
    expect(standing(2, away(1), gone(2))).toEqual({ kind: 'gone', since: h(1) })
    given(registered, gone(2)).when(sight(3, false)).gives([])
  })

  it('may come back after it was gone', () => {
    given(registered, away(1), gone(2))
      .when(sight(3, true))
      .gives([returned(3, 1)])
    expect(standing(3, away(1), gone(2), returned(3, 1))).toEqual({ kind: 'there' })
    given(registered, gone(2))
      .when(sight(3, true))
      .gives([returned(3, 2)])
  })

  it('is gone at once where its policy does not wait', () => {
    const hasty: StoreEvent = {
      type: 'PolicyChanged',
      data: { policy: { ...policy, awaySeconds: 0 }, reason: 'r', at: h(0) },
    }
    expect(standing(1, hasty, away(1))).toEqual({ kind: 'gone', since: h(1) })
  })
})

describe('machines that see different folders', () => {
  it('one that finds it says so once somebody misses it; then it is not away', () => {
    given(registered, away(1))
      .when(sight(2, true, 'two'))
      .gives([returned(2, 1, 'two')])
    expect(standing(3, away(1), returned(2, 1, 'two'))).toEqual({ kind: 'there' })
    given(registered, away(1), returned(2, 1, 'two'))
      .when(sight(3, false))
      .gives([])
    given(registered, away(1), returned(2, 1, 'two'))
      .when(declare(3))
      .gives('not-away')
  })

  it('its word counts for as long as the policy waits, and is said again in time', () => {
    const both = [away(1), returned(2, 1, 'two')]
    given(registered, ...both)
      .when(sight(6, true, 'two'))
      .gives([])
    given(registered, ...both)
      .when(sight(7, true, 'two'))
      .gives([returned(7, undefined, 'two')])
    expect(standing(11, ...both)).toEqual({ kind: 'there' })
    expect(standing(12, ...both)).toEqual({ kind: 'away', since: h(12) })
    expect(standing(21, ...both)).toMatchObject({ kind: 'away' })
    expect(standing(22, ...both)).toMatchObject({ kind: 'gone' })
    given(registered, ...both)
      .when(declare(12))
      .gives([gone(12)])
  })

  it('it is away since the last of them lost it', () => {
    const both = [away(1), returned(2, 1, 'two')]
    given(registered, ...both)
      .when(sight(5, false, 'two'))
      .gives([away(5, 'two')])
    expect(standing(6, ...both, away(5, 'two'))).toEqual({ kind: 'away', since: h(5) })
    expect(standing(6, away(1), away(5, 'two'))).toEqual({ kind: 'away', since: h(1) })
  })

  it('what was seen before the last word of the same machine is old', () => {
    given(registered, away(1), returned(3, 1))
      .when(sight(4, false))
      .gives([away(4)])
    given(registered, away(3)).when(sight(2, true)).gives([])
    given(registered, away(3)).when(sight(3, true)).gives([])
  })
})

describe('is refused', () => {
  it('for a store that nobody knows, or that others read', () => {
    given().when(sight(1, false)).gives('unknown-store')
    given().when(declare(1)).gives('unknown-store')
    given(external).when(sight(1, false)).gives('external-store')
    given(external).when(declare(1)).gives('external-store')
  })
})

it('a revival of what is parked below a prefix is asked of a store', () => {
  given(registered)
    .when({ type: 'RequestRevival', ...by(1), prefix: 'a/', reason: 'mounted' })
    .gives([{ type: 'StoreRevivalRequested', data: { prefix: 'a/', reason: 'mounted', at: h(1) } }])
})
