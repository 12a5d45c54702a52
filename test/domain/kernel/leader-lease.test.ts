import { describe, expect, test } from 'vitest'
import {
  furthest,
  type LeaderCommand,
  type LeaderEvent,
  leaderLeases,
  positionIn,
  stateOf,
} from '../../../src/domain/kernel/leader-lease.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-duty-events.json' with { type: 'json' }

testStored('a duty', leaderLeases.events, stored)

const given = specify(leaderLeases)
const millis = 30_000
const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
const take = (holder: string, now: number): Extract<LeaderCommand, { type: 'Take' }> => ({
  type: 'Take',
  actor: holder,
  at: time(now),
  holder,
  deadline: time(now + 30),
  millis,
})
const extend = (fence: number, now: number, positions = {}): LeaderCommand => ({
  type: 'Extend',
  actor: 'a',
  at: time(now),
  fence,
  deadline: time(now + 30),
  millis,
  positions,
})
const leave = (fence: number, now: number, positions = {}): LeaderCommand => ({
  type: 'Leave',
  actor: 'a',
  at: time(now),
  fence,
  positions,
})
const taken = (holder: string, fence: number, until: number, positions = {}) => ({
  type: 'DutyTaken' as const,
  data: { holder, fence, deadline: time(until), millis, positions },
})
const extended = (holder: string, fence: number, until: number, positions = {}) => ({
  type: 'DutyExtended' as const,
  data: { holder, fence, deadline: time(until), millis, positions },
})
const left = (holder: string, fence: number, positions = {}): LeaderEvent => ({
  type: 'DutyLeft',
  data: { holder, fence, positions },
})

describe('taking a duty', () => {
  test('that nobody ever had', () =>
    given()
      .when(take('a', 0))
      .gives([taken('a', 1, 30)]))
  test('not while another has it', () =>
    given(taken('a', 1, 30))
      .when(take('b', 29))
      .gives('held'))
  test('from its deadline on, with the next fence and what the last one knew', () =>
    given(extended('a', 1, 30, { r: '7' }))
      .when({ ...take('b', 29), at: time(30) })
      .gives([taken('b', 2, 59, { r: '7' })]))
  test('at once where it was left', () =>
    given(taken('a', 4, 30), left('a', 4, { r: '9' }))
      .when(take('b', 1))
      .gives([taken('b', 5, 31, { r: '9' })]))
  test('again by the one who has it: it never heard of it', () =>
    given(taken('a', 1, 30))
      .when(take('a', 1))
      .gives([taken('a', 2, 31)]))
})

describe('events that tell whether the log was put back', () => {
  const place = (position: string) => ({
    stream: 'x-1',
    revision: '0',
    id: `event ${position}`,
    position,
    recordedAt: time(0),
  })
  const was: LeaderEvent = {
    type: 'DutyLeft',
    data: { holder: 'a', fence: 1, positions: { r: '9', s: '9' }, events: { r: place('7'), s: null } },
  }
  test('go with the duty from one to the next', () =>
    given(was)
      .when(take('b', 1))
      .gives([
        {
          type: 'DutyTaken',
          data: { ...taken('b', 2, 31).data, positions: was.data.positions, events: was.data.events! },
        },
      ] as readonly LeaderEvent[]))
  test('who takes it says how much of that is true: so it goes back, and with that alone', () =>
    given(was)
      .when({ ...take('b', 1), reached: { positions: { r: '2', s: '2' }, events: { s: null } } })
      .gives([
        {
          type: 'DutyTaken',
          data: { ...taken('b', 2, 31).data, positions: { r: '2', s: '2' }, events: { s: null } },
        },
      ] as readonly LeaderEvent[]))
  test('the later one stays', () =>
    expect(
      furthest(was.data, { positions: { r: '12', s: '3' }, events: { r: place('11'), s: place('3') } }),
    ).toEqual({ positions: { r: '12', s: '9' }, events: { r: place('11'), s: place('3') } }))
})

describe('taking it from a holder that is silent, its deadline days ahead', () => {
  const tomorrow = '2026-01-02T00:00:30.000Z'
  const ahead: LeaderEvent = {
    type: 'DutyTaken',
    data: { holder: 'a', fence: 1, deadline: tomorrow, millis, positions: { r: '7' } },
  }
  const silence = { fence: 1, deadline: tomorrow, millis }
  test('who saw that for as long as the lease says', () =>
    given(ahead)
      .when({ ...take('b', 40), silence })
      .gives([taken('b', 2, 70, { r: '7' })]))
  test('not who did not watch, or not as long', () => {
    given(ahead).when(take('b', 40)).gives('held')
    given(ahead)
      .when({ ...take('b', 40), silence: { ...silence, millis: millis - 1 } })
      .gives('held')
  })
  test('not where the holder was heard of since, its clock put right or not', () => {
    const heard = { ...ahead, type: 'DutyExtended' as const }
    const later = { ...heard, data: { ...heard.data, deadline: '2026-01-02T00:00:40.000Z' } }
    for (const word of [later, extended('a', 1, 41)])
      given(ahead, word)
        .when({ ...take('b', 40), silence })
        .gives('held')
  })
  test('not where another took it since', () =>
    given(ahead, { ...ahead, data: { ...ahead.data, holder: 'c', fence: 2 } })
      .when({ ...take('b', 40), silence })
      .gives('held'))
  test('of an event that does not say how long, the waiter knows', () => {
    const { millis: _, ...old } = ahead.data
    given({ type: 'DutyTaken', data: old })
      .when({ ...take('b', 40), silence: { ...silence, millis: 15_000 } })
      .gives([taken('b', 2, 70, { r: '7' })])
  })
  test('the holder whose clock was put right puts its deadline right', () =>
    given(ahead)
      .when(extend(1, 10))
      .gives([extended('a', 1, 40, { r: '7' })]))
  test('each word of the holder differs from the one before', () =>
    given(extended('a', 1, 40))
      .when(extend(1, 10))
      .gives([
        {
          type: 'DutyExtended',
          data: { holder: 'a', fence: 1, deadline: '2026-01-01T00:00:40.001Z', millis, positions: {} },
        },
      ]))
})

describe('taking it from a holder whose process has ended', () => {
  const lock = { file: '/locks/a.lock', device: '1', inode: '2', bootId: 'boot' }
  const locked: LeaderEvent = { type: 'DutyTaken', data: { ...taken('a', 1, 30).data, lock } }
  test('at once, with a lock of its own', () =>
    given(locked)
      .when({ ...take('b', 1), endedHolder: 'a', lock: { ...lock, file: '/locks/b.lock' } })
      .gives([
        { type: 'DutyTaken', data: { ...taken('b', 2, 31).data, lock: { ...lock, file: '/locks/b.lock' } } },
      ]))
  test('not where another has it by now', () =>
    given(locked, taken('c', 2, 31))
      .when({ ...take('b', 2), endedHolder: 'a' })
      .gives('held'))
  test('each extension says its lock again: what came before may be gone', () =>
    given(locked)
      .when(extend(1, 10))
      .gives([{ type: 'DutyExtended', data: { ...extended('a', 1, 40).data, lock } }]))
})

describe('ended by a person', () => {
  const end: LeaderCommand = { type: 'End', actor: 'ada', at: time(5), reason: 'its machine burnt' }
  const ended: LeaderEvent = {
    type: 'DutyEnded',
    data: { holder: 'a', fence: 3, positions: { r: '4' }, reason: 'its machine burnt' },
  }
  test('anybody may take it at once, from where the work was', () => {
    given(taken('a', 3, 30, { r: '4' }))
      .when(end)
      .gives([ended])
    given(ended)
      .when(take('b', 6))
      .gives([taken('b', 4, 36, { r: '4' })])
  })
  test('its holder can no longer extend it', () => given(ended).when(extend(3, 6)).gives('fenced'))
  test('there must be one', () => {
    given().when(end).gives('unknown-duty')
    given(taken('a', 3, 30), left('a', 3))
      .when(end)
      .gives('nobody-has-it')
  })
})

describe('extending', () => {
  test('moves the deadline and tells how far the work has come', () =>
    given(taken('a', 1, 30, { r: '3', s: '5' }))
      .when(extend(1, 10, { r: '8' }))
      .gives([extended('a', 1, 40, { r: '8', s: '5' })]))
  test('never moves a position back', () =>
    given(taken('a', 1, 30, { r: '10' }))
      .when(extend(1, 10, { r: '9' }))
      .gives([extended('a', 1, 40, { r: '10' })]))
  test('not past the deadline', () =>
    given(taken('a', 1, 30))
      .when(extend(1, 30))
      .gives('fenced'))
  test('not by one whom another followed', () =>
    given(taken('a', 1, 30), taken('b', 2, 59))
      .when(extend(1, 29))
      .gives('fenced'))
  test('not once it was left', () =>
    given(taken('a', 1, 30), left('a', 1))
      .when(extend(1, 2))
      .gives('fenced'))
})

describe('leaving', () => {
  test('with how far the work has come', () =>
    given(taken('a', 1, 30, { r: '3' }))
      .when(leave(1, 2, { r: '4' }))
      .gives([left('a', 1, { r: '4' })]))
  test('also late, where nobody followed', () =>
    given(taken('a', 1, 30))
      .when(leave(1, 50, { r: '4' }))
      .gives([left('a', 1, { r: '4' })]))
  test('not where somebody followed', () =>
    given(taken('a', 1, 30), taken('b', 2, 59))
      .when(leave(1, 31))
      .gives('fenced'))
})

test.each([taken('a', 7, 30, { r: '1' }), extended('a', 7, 30, { r: '1' }), left('a', 7, { r: '1' })])(
  '$type alone tells all: the events before it may be gone',
  (event) => {
    expect(given(taken('x', 1, 10, { r: '0' }), event).state).toEqual(stateOf(event))
    expect(given(event).state).toEqual(stateOf(event))
  },
)

test('positions are numbers, not text', () => {
  expect(furthest({ positions: { r: '9' } }, { positions: { r: '10' } })).toEqual({ positions: { r: '10' } })
  expect(positionIn({ r: '10' }, 'r')).toBe(10n)
  expect(positionIn({}, 'r')).toBe(-1n)
})
