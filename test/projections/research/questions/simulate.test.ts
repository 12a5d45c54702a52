import { describe, expect, it } from 'vitest'
import { defaultPolicy, type Policy } from '#src/domain/research/policy/policy.ts'
import { createSchedulerState } from '#src/domain/research/selection/create-scheduler-state.ts'
import type { LeaseFacts } from '#src/domain/research/simulation/lease-facts.ts'
import { simulationAnswer } from '#src/projections/research/questions/simulate.ts'

const t = (hours: number): string => new Date(Date.UTC(2026, 0, 1, hours)).toISOString()

type Sign = LeaseFacts['signs'][number]
const lease = (...signs: Sign[]): LeaseFacts => ({
  grantedAt: t(0),
  notAfter: t(1),
  leaseSeconds: 7200,
  takenAt: t(0),
  signs,
})
const word: Sign = { at: t(1), ends: false, by: 'extension' }
const last: Sign = { at: t(2), ends: true, by: 'report' }

const notesOf = (granted: number, leases: readonly LeaseFacts[], changes: Partial<Policy>) =>
  simulationAnswer(
    createSchedulerState(),
    { ...defaultPolicy, ...changes },
    { granted, leases },
    { at: t(48), since: t(0), max: 5 },
  ).notes.join('\n')

describe('X14: what a simulation cannot know it says', () => {
  it('how many leases it looked at, where there were more', () => {
    expect(notesOf(3000, [lease(last)], {})).toContain(
      'of 3,000 leases granted since then the latest 1 were looked at',
    )
    expect(notesOf(1, [lease(last)], {})).not.toContain('looked at')
  })

  it('that a researcher of a shorter lease would have said sooner that work goes on', () => {
    const says = '1 time a researcher said that work goes on'
    expect(notesOf(1, [lease(word, last)], { leaseSeconds: 6600 })).toContain(says)
    expect(notesOf(1, [lease(word, last)], { maxClips: 3 })).not.toContain(says)
    expect(notesOf(1, [lease(last)], { leaseSeconds: 6600 })).not.toContain(says)
  })

  it('of which settings it tells nothing', () => {
    expect(notesOf(1, [lease(last)], { attempts: 2, presenceSeconds: 90, maxClips: 3 })).toContain(
      'what presenceSeconds, attempts would change is not simulated',
    )
    expect(notesOf(1, [lease(last)], { maxClips: 3 })).not.toContain('is not simulated')
  })
})
