import { describe, expect, test } from 'vitest'
import {
  type DutyCommand,
  type DutyEvent,
  duties,
  furthest,
  positionIn,
  stateOf,
} from '../../../src/domain/kernel/duty.ts'
import { specify } from '../../given.ts'

const given = specify(duties)
const time = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
const take = (holder: string, now: number): DutyCommand => ({
  type: 'Take',
  actor: holder,
  at: time(now),
  holder,
  deadline: time(now + 30),
})
const extend = (fence: number, now: number, positions = {}): DutyCommand => ({
  type: 'Extend',
  actor: 'a',
  at: time(now),
  fence,
  deadline: time(now + 30),
  positions,
})
const leave = (fence: number, now: number, positions = {}): DutyCommand => ({
  type: 'Leave',
  actor: 'a',
  at: time(now),
  fence,
  positions,
})
const taken = (holder: string, fence: number, until: number, positions = {}): DutyEvent => ({
  type: 'DutyTaken',
  data: { holder, fence, deadline: time(until), positions },
})
const extended = (holder: string, fence: number, until: number, positions = {}): DutyEvent => ({
  type: 'DutyExtended',
  data: { holder, fence, deadline: time(until), positions },
})
const left = (holder: string, fence: number, positions = {}): DutyEvent => ({
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
  expect(furthest({ r: '9' }, { r: '10' })).toEqual({ r: '10' })
  expect(positionIn({ r: '10' }, 'r')).toBe(10n)
  expect(positionIn({}, 'r')).toBe(-1n)
})
