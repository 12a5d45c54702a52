import { expect, it } from 'vitest'
import {
  curated,
  expired,
  extendedTo,
  given,
  grant,
  granted,
  none,
  report,
  researched,
  revokedEffect,
  take,
  taken,
} from './episodes.ts'

/* The stories that the seed tells of results without an active lease, and what lies near them. */

const held = [curated, granted(0, 'l1', ['a', 'b', 'c']), taken(1, 'l1')]
const first = { lease: 'l1' }
const second = { lease: 'l2', researcher: 'r2' }

it('L42, L38, F8: a researcher hung, its lease expired, another works on the same clips; back online, it disturbs nobody', () => {
  const back = [
    ...held,
    researched(10, 'a', extendedTo(70), first),
    expired(70, 'l1', 70),
    granted(80, 'l2', ['b', 'c'], { fence: 2 }),
    taken(81, 'l2', 'r2'),
  ]
  const late = given(...back).when(report(90, 'b', 'l1'))
  late.gives([researched(90, 'b', none('expired'), first)])
  expect(late.state.leases.open).toEqual(given(...back).state.leases.open)
  given(...back, ...late.events)
    .when(report(95, 'b', 'l2', second))
    .gives([researched(95, 'b', extendedTo(155), { ...second, repeat: true })])
  given(...back, ...late.events)
    .when(report(95, 'c', 'l1', { final: true }))
    .gives([researched(95, 'c', none('expired'), { ...first, final: true })])
})

it('L40, F9, F10: a final overtakes its stragglers; they are kept, and the lease stays revoked', () => {
  const revoked = [...held, researched(10, 'c', revokedEffect, { ...first, final: true })]
  const straggler = researched(11, 'a', none('ended'), first)
  given(...revoked)
    .when(report(11, 'a', 'l1'))
    .gives([straggler])
  // The assigner ran in between: what it leased again is done now, and its lease is as it was.
  const leasedAgain = [...revoked, granted(11, 'l2', ['a', 'b'], { fence: 2 }), taken(11, 'l2', 'r2')]
  const after = given(...leasedAgain).when(report(12, 'a', 'l1'))
  after.gives([researched(12, 'a', none('ended'), first)])
  expect(after.state.leases).toEqual(given(...leasedAgain).state.leases)
})

it('L41, F7, F15: a final never comes; the lease runs out, what is open is handed out on a later run', () => {
  const silent = [...held, researched(10, 'a', extendedTo(70), first)]
  given(...silent)
    .when(grant(69, { l2: ['b', 'c'] }))
    .gives('pair-taken')
  given(...silent)
    .when(grant(70, { l2: ['b', 'c'] }))
    .gives([expired(70, 'l1', 70), granted(70, 'l2', ['b', 'c'], { fence: 2 })])
})

it('F1, F2: two assigners choose the same; the second is refused and chooses again', () => {
  const other = [curated, granted(0, 'l1', ['a', 'b'])]
  given(...other)
    .when(grant(0, { l2: ['a', 'b'] }))
    .gives('pair-taken')
  given(...other)
    .when(grant(0, { l2: ['c'] }))
    .gives([granted(0, 'l2', ['c'], { fence: 2 })])
})

it('F5: an item that was published twice is worked on twice at most; each pair counts once', () => {
  given(...held)
    .when(take(2, 'l1', 'r2'))
    .gives('taken-by-another')
  const both = [...held, researched(10, 'a', extendedTo(70), first)]
  given(...both)
    .when(report(11, 'a', 'l1', { researcher: 'r2' }))
    .gives([
      researched(11, 'a', extendedTo(71), { ...first, researcher: 'r2', notTheHolder: true, repeat: true }),
    ])
})
