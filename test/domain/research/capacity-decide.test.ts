import { describe, expect, it } from 'vitest'
import type { CapacityEvent } from '#src/domain/research/capacity.ts'
import { type Assessed, capacityDecider } from '#src/domain/research/capacity-decide.ts'
import { specify } from '../../given.ts'

const given = specify(capacityDecider)
const at = '2026-01-31T12:00:00.000Z'
const later = '2026-01-31T12:05:00.000Z'
const surplus: Assessed = { researchers: 3, queued: 4, added: 0, stopped: 'surplus' }
const assess = (assessed: Assessed, when = later) =>
  ({ type: 'Assess', assessed, actor: 'fonds/assigner', at: when }) as const
const assessed = (what: Assessed, when = at): CapacityEvent => ({
  type: 'CapacityAssessed',
  data: { ...what, at: when },
})

describe('a decision on capacity', () => {
  it('is kept where it is the first', () => {
    given()
      .when(assess(surplus))
      .gives([assessed(surplus, later)])
  })

  it('is not where nothing but the time is other', () => {
    given(assessed(surplus)).when(assess(surplus)).gives([])
  })

  it.each<Partial<Assessed>>([
    { researchers: 2 },
    { queued: 5 },
    { stopped: 'paused' },
    { researchers: 0, stopped: 'no-researchers' },
  ])('is where %o is', (other) => {
    given(assessed(surplus))
      .when(assess({ ...surplus, ...other }))
      .gives([assessed({ ...surplus, ...other }, later)])
  })

  it('is wherever work was added, and once after that', () => {
    const added = { ...surplus, added: 2 }
    given(assessed(added))
      .when(assess(added))
      .gives([assessed(added, later)])
    given(assessed(added))
      .when(assess(surplus))
      .gives([assessed(surplus, later)])
    expect(given(assessed(added), assessed(surplus)).when(assess(surplus)).events).toEqual([])
  })
})
