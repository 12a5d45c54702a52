import { describe, expect, it } from 'vitest'
import { cutoffOf, isWithinPolicy } from '#src/domain/kernel/within-policy.ts'

const policy = { days: 30, actor: 'ada', reason: 'the schedule', at: '2026-01-01T00:00:00.000Z' }
const at = '2026-06-30T12:00:00.000Z'
const named = { policy, olderThan: '2026-05-31T12:00:00.000Z' }

describe('the time before which a policy removes', () => {
  it('is so many days before, and never before the first year', () => {
    expect(cutoffOf({ days: 30 }, at)).toBe(named.olderThan)
    for (const days of [1_000_000, Number.MAX_SAFE_INTEGER])
      expect(cutoffOf({ days }, at)).toBe('0000-01-01T00:00:00.000Z')
  })
})

describe('an event that names what goes', () => {
  it('is within the policy that was in force, up to its days', () => {
    expect(isWithinPolicy(named, policy, at)).toBe(true)
    expect(isWithinPolicy(named, { ...policy }, '2026-06-30T11:59:00.000Z')).toBe(true)
  })

  it.each([
    ['no policy', undefined, named],
    ['other days', { ...policy, days: 31 }, named],
    ['another person', { ...policy, actor: 'eve' }, named],
    ['another reason', { ...policy, reason: 'none' }, named],
    ['another time', { ...policy, at }, named],
    ['younger events', policy, { policy, olderThan: '2026-06-02T12:00:00.000Z' }],
  ] as const)('is not: %s', (_, inForce, event) => {
    expect(isWithinPolicy(event, inForce, at)).toBe(false)
  })
})
