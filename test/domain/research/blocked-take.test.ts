import { describe, expect, it } from 'vitest'
import { blockedTakeDecider } from '#src/domain/research/blocked-take.ts'
import { specify } from '../../given.ts'
import { curated, granted, lapsed, revoked, take, taken } from './episode/episodes.ts'

const given = specify(blockedTakeDecider)
const waiting = [curated, granted(0, 'l1', ['a', 'b'])]

describe('X5: what a researcher that is blocked takes', () => {
  it('is refused, with its name and what to do', () => {
    const { result } = given(...waiting).when(take(29, 'l1'))
    expect(result).toMatchObject({
      left: {
        code: 'blocked',
        message: expect.stringMatching(/^r1 is blocked and cannot take item l1.*research\.unblock/),
        details: { lease: 'l1', researcher: 'r1' },
      },
    })
  })

  it.each([
    ['is stale', [...waiting, lapsed(30, 'l1')]],
    ['is taken by another', [...waiting, taken(1, 'l1', 'r2')]],
    ['has ended', [...waiting, revoked(1, 'l1')]],
    ['is unknown', [curated]],
  ])('also where the item %s: it is not to look for another', (_, history) => {
    given(...history)
      .when(take(31, 'l1'))
      .gives('blocked')
  })

  it('and has already stays its own: nothing changes', () => {
    given(...waiting, taken(1, 'l1'))
      .when(take(2, 'l1'))
      .gives([])
  })
})
