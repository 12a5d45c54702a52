import { describe, expect, it } from 'vitest'
import {
  type RetentionCommand,
  type RetentionEvent,
  retention,
  retentionEvents,
} from '#src/domain/kernel/retention.ts'
import { specify } from '../../given.ts'
import { testStored } from '../stored-events.ts'
import stored from './stored-retention-events.json' with { type: 'json' }

testStored('retention', retentionEvents, stored)

const given = specify(retention)
const at = '2026-04-01T12:00:00.000Z'
const olderThan = '2026-01-01T12:00:00.000Z'
const by = { actor: 'ada', reason: 'the schedule', at }
const of = { category: 'sensor' }
const policy = { days: 90, ...by }
const streams = [
  { stream: 'sensor-1', before: '2', events: 2 },
  { stream: 'sensor-2', before: '7', events: 3 },
]
const command = {
  set: (days: number): RetentionCommand => ({ type: 'Set', days, ...of, ...by }),
  lift: { type: 'Lift', ...of, ...by } as RetentionCommand,
  request: { type: 'Request', ...of, ...by } as RetentionCommand,
  remove: (isLast: boolean, days = 90): RetentionCommand => ({
    ...{ type: 'Remove', ...of, actor: 'fonds/sealer', at, policy: { ...policy, days } },
    ...{ olderThan, streams, isLast },
  }),
  carriedOut: { type: 'CarriedOut', ...of, actor: 'fonds/sealer', at, stayed: 0 } as RetentionCommand,
}
const happened = {
  set: { type: 'RetentionSet', data: { ...of, ...policy } } as RetentionEvent,
  lifted: { type: 'RetentionLifted', data: { ...of, ...by } } as RetentionEvent,
  requested: { type: 'RemovalRequested', data: { ...of, ...by } } as RetentionEvent,
  removed: (isLast: boolean): RetentionEvent => ({
    type: 'EventsRemoved',
    data: { ...of, policy, olderThan, streams, events: 5, isLast, at },
  }),
  carriedOut: (times: number, until?: string): RetentionEvent => ({
    type: 'RemovalCarriedOut',
    data: { ...of, events: 5 * times, stayed: 0, at, ...(until && { olderThan: until }) },
  }),
}
const { set, lifted, requested, removed, carriedOut } = happened

describe('a policy', () => {
  it('is set with its reason; the same again changes nothing, other days or another reason do', () => {
    given().when(command.set(90)).gives([set])
    given(set).when(command.set(90)).gives([])
    given(set)
      .when(command.set(30))
      .gives([{ type: 'RetentionSet', data: { ...of, ...policy, days: 30 } }])
    given(set)
      .when({ ...command.set(90), reason: 'another law' } as RetentionCommand)
      .gives([{ type: 'RetentionSet', data: { ...of, ...policy, reason: 'another law' } }])
  })

  it('is lifted where there is one', () => {
    given(set).when(command.lift).gives([lifted])
    given().when(command.lift).gives('no-policy')
    given(set, lifted).when(command.lift).gives('no-policy')
    given(set, lifted).when(command.set(90)).gives([set])
  })
})

describe('a removal', () => {
  it('is wanted by a person once, until it is carried out, and never without a policy', () => {
    given(set).when(command.request).gives([requested])
    given(set, requested).when(command.request).gives([])
    given(set, requested, removed(true), carriedOut(1, olderThan)).when(command.request).gives([requested])
    given().when(command.request).gives('no-policy')
    given(set, requested, lifted).when(command.request).gives('no-policy')
  })

  it('is named with the policy as it holds, which must be the one that it was found by', () => {
    given(set)
      .when(command.remove(true))
      .gives([removed(true)])
    given().when(command.remove(true)).gives('no-policy')
    given(set, lifted).when(command.remove(true)).gives('no-policy')
    given(set).when(command.remove(true, 30)).gives('other-policy')
  })

  it('is carried out up to a time where all of it was named, and not where that was interrupted', () => {
    given(set, removed(false), removed(true))
      .when(command.carriedOut)
      .gives([carriedOut(2, olderThan)])
    given(set, removed(false))
      .when(command.carriedOut)
      .gives([carriedOut(1)])
  })

  it('that was interrupted while it was named is wanted on', () => {
    const { state } = given(set, requested, removed(false)).when(command.carriedOut)
    expect(state).toMatchObject({ isWanted: true, named: undefined, doneTo: undefined })
    expect(given(set, requested, removed(true)).when(command.carriedOut).state).toMatchObject({
      ...{ isWanted: false, named: undefined, doneTo: olderThan, doneAt: at },
    })
  })

  it('tells how many events stayed, as their streams went on', () => {
    const { events } = given(set, removed(true)).when({
      ...command.carriedOut,
      stayed: 3,
    } as RetentionCommand)
    expect(events).toMatchObject([{ data: { events: 2, stayed: 3, olderThan } }])
  })

  it('that was named is stopped where its policy is lifted, or another one set: what is left of it stays', () => {
    const other: RetentionEvent = { type: 'RetentionSet', data: { ...of, ...policy, days: 900 } }
    for (const meanwhile of [lifted, other]) {
      const { events, state } = given(set, requested, removed(true), meanwhile).when({
        ...command.carriedOut,
        stayed: 3,
      } as RetentionCommand)
      expect(events).toEqual([{ type: 'RemovalCarriedOut', data: { ...of, events: 2, stayed: 3, at } }])
      expect(state).toMatchObject({ isWanted: false, named: undefined, doneTo: undefined })
    }
    expect(given(set, removed(false), lifted, removed(true)).state).toMatchObject({
      named: { isStopped: true },
    })
  })

  it('of which more stay than an event of another program has in sum: never less than none went', () => {
    given(set, removed(true))
      .when({ ...command.carriedOut, stayed: 9 } as RetentionCommand)
      .gives([{ type: 'RemovalCarriedOut', data: { ...of, events: 0, stayed: 5, at, olderThan } }])
  })

  it('of nothing ends what a person wanted, and is no event else', () => {
    given(set, requested)
      .when(command.carriedOut)
      .gives([carriedOut(0)])
    given(set).when(command.carriedOut).gives([])
    given(set, removed(true), carriedOut(1, olderThan)).when(command.carriedOut).gives([])
  })
})
