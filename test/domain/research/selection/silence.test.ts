import { describe, expect, it } from 'vitest'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import {
  createSchedulerState,
  readSchedulerState,
  schedulerStateParts,
} from '#src/domain/research/selection/create-scheduler-state.ts'
import type { SchedulerState } from '#src/domain/research/selection/scheduler-state.ts'
import {
  curated,
  expired,
  extendedTo,
  failed,
  granted,
  none,
  reason,
  released,
  researched,
  revoked,
  t,
} from '../episode/episodes.ts'
import { recorded } from './log-entries.ts'

/* F22: two episodes and two clips; whoever takes something of the first is not heard of again. */

const sighting = curated.type === 'Curated' ? curated : expect.fail()

const given = (attempts?: number) => {
  const scheduler = createSchedulerState()
  const tell = (...events: readonly EpisodeEvent[]) => {
    for (const event of events) scheduler.fold(recorded({ of: 'episode', id: 'e-1', event }))
  }
  const settle = (attempts: number) => {
    const data = { version: 1, policy: { ...defaultPolicy, attempts }, reason, at: t(0) }
    scheduler.fold(recorded({ of: 'desk', id: 'research', event: { type: 'PolicySet', data } }))
  }
  for (const id of ['e-1', 'e-2']) scheduler.fold(recorded({ of: 'episode', id, event: sighting }))
  for (const id of ['a', 'b']) scheduler.fold(recorded({ of: 'clip', id, event: sighting }))
  if (attempts !== undefined) settle(attempts)
  scheduler.advance(t(0))
  return { scheduler, tell, settle }
}
/** A lease that ran out, as the last of so many. */
const silent = (lease: string, times?: number): readonly EpisodeEvent[] => [
  granted(0, lease, ['a']),
  expired(60, lease, 60, times),
]
const next = (scheduler: SchedulerState) => scheduler.select()?.episode
const reasons = (scheduler: SchedulerState) => scheduler.explain('e-1').reasons

describe('an episode of which too many in a row were not heard of again', () => {
  it('is parked with as many as the settings have attempts, and the second goes on being handed out', () => {
    const { scheduler, tell } = given(3)
    tell(...silent('l1', 1), ...silent('l2', 2))
    expect(next(scheduler)).toBe('e-1')
    tell(...silent('l3', 3))
    expect(next(scheduler)).toBe('e-2')
    expect(reasons(scheduler)).toEqual([{ kind: 'parked' }])
    expect(scheduler.upcoming(9).map(({ episode }) => episode)).toEqual(['e-2'])
    scheduler.advance(t(1e6))
    expect(next(scheduler)).toBe('e-2')
  })

  it('where nobody has set anything, by the settings that Fonds comes with', () => {
    const { scheduler, tell } = given()
    tell(...silent('l4', 4))
    expect(next(scheduler)).toBe('e-1')
    tell(...silent('l5', 5))
    expect(next(scheduler)).toBe('e-2')
  })

  it('by the settings in force when its lease ran out', () => {
    const { scheduler, tell, settle } = given(5)
    tell(...silent('l3', 3))
    settle(3)
    expect(next(scheduler)).toBe('e-1')
    tell(...silent('l4', 4))
    settle(9)
    expect(next(scheduler)).toBe('e-2')
  })

  it('leases that ran out before any were counted park nothing', () => {
    const { scheduler, tell } = given(1)
    tell(...silent('l1'), ...silent('l2'))
    expect(next(scheduler)).toBe('e-1')
  })

  it.each<[string, EpisodeEvent]>([
    ['a person has it tried again', { type: 'Retried', data: { reason, at: t(70) } }],
    ['a result comes after all', researched(70, 'b', none('expired'), { lease: 'l0' })],
    ['somebody fails at a clip of it', failed(70, 'clip', extendedTo(130), { lease: 'l2' })],
    ['somebody gives an item of it back', released(70, 'l2')],
  ])('goes on being handed out when %s', (_, event) => {
    const { scheduler, tell } = given(1)
    tell(granted(0, 'l2', ['b']), ...silent('l1', 1))
    expect(next(scheduler)).toBe('e-2')
    tell(event)
    expect(next(scheduler)).toBe('e-1')
  })

  it.each<[string, EpisodeEvent]>([
    ['a person ends a lease of it', revoked(70, 'l2')],
    ['a lease of it runs out that was heard of', expired(70, 'l2', 60)],
    ['the episode fails for good', failed(70, 'episode', none('no-lease'), { attempt: 5 })],
  ])('stays parked when %s', (_, event) => {
    const { scheduler, tell } = given(1)
    tell(granted(0, 'l2', ['b']), ...silent('l1', 1), event)
    expect(reasons(scheduler)).toEqual([{ kind: 'parked' }])
  })

  it('that failed for good as well stays parked for that, whoever is heard of', () => {
    const { scheduler, tell } = given(1)
    tell(granted(0, 'l2', ['b']), failed(50, 'episode', none('no-lease'), { attempt: 5 }), ...silent('l1', 1))
    expect(reasons(scheduler)).toEqual([{ kind: 'parked' }])
    tell(released(70, 'l2'))
    expect(reasons(scheduler)).toEqual([{ kind: 'parked' }])
  })

  it('that is to be tried again later says both', () => {
    const { scheduler, tell } = given(1)
    tell(failed(50, 'episode', none('no-lease'), { attempt: 1, retryAt: t(99) }), ...silent('l1', 1))
    expect(reasons(scheduler)).toEqual([{ kind: 'parked' }, { kind: 'backing-off', until: t(99) }])
    scheduler.advance(t(99))
    expect(reasons(scheduler)).toEqual([{ kind: 'parked' }])
  })

  it('is parked in a snapshot, and under other settings', () => {
    const { scheduler, tell } = given(1)
    tell(...silent('l1', 1))
    const copy = readSchedulerState(Buffer.concat([...schedulerStateParts(scheduler)])) ?? expect.fail()
    for (const other of [copy, scheduler.under({ ...defaultPolicy, attempts: 9 })]) {
      expect(next(other)).toBe('e-2')
      expect(reasons(other)).toEqual([{ kind: 'parked' }])
    }
  })
})
