import { describe, expect, it } from 'vitest'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, Policy, type StoreEvent, storeStream } from '#src/domain/fixity/store/events.ts'
import { noSightings } from '#src/domain/fixity/store/sightings.ts'
import { decode } from '#src/domain/kernel/codecs.ts'
import { specify } from '../../../given.ts'

const given = specify(storeDecider)
const at = '2026-01-31T12:00:00.000Z'
const by = { store: 'main', actor: 'ada', at }
const register = {
  type: 'RegisterStore',
  ...by,
  kind: 'folder',
  root: '/archive',
  policy: defaultPolicy,
} as const
const registered: StoreEvent = {
  type: 'StoreRegistered',
  data: { kind: 'folder', root: '/archive', policy: defaultPolicy, at },
}
const yearly = { ...defaultPolicy, intervalDays: 365 }

describe('registering a store', () => {
  it('makes it known', () => {
    given().when(register).gives([registered])
    expect(given(registered).state).toEqual({
      kind: 'folder',
      root: '/archive',
      policy: defaultPolicy,
      sightings: noSightings,
    })
    expect(storeStream('main')).toBe('fixityStore-main')
  })

  it('with the same words again is no news', () => {
    given(registered).when(register).gives([])
  })

  it('with another root is refused, and says what to do', () => {
    const { result } = given(registered).when({ ...register, root: '/mirror' })
    expect(result).toMatchObject({ left: { code: 'registered-otherwise' } })
    expect(JSON.stringify(result)).toMatch(/folder \/archive.*folder \/mirror under another name/)
  })

  it('with another kind or policy is refused', () => {
    given(registered)
      .when({ ...register, kind: 'external', root: undefined })
      .gives('registered-otherwise')
    given(registered)
      .when({ ...register, policy: yearly })
      .gives('registered-otherwise')
    given(registered)
      .when({ ...register, policy: { ...defaultPolicy, awaySeconds: 60 } })
      .gives('registered-otherwise')
    // A day is what an old policy means, which does not say it.
    given(registered)
      .when({ ...register, policy: { ...defaultPolicy, awaySeconds: 86_400 } })
      .gives([])
  })

  it('wants an absolute root for a folder, and none for an external store', () => {
    given()
      .when({ ...register, root: undefined })
      .gives('root-missing')
    given()
      .when({ ...register, root: 'archive' })
      .gives('root-missing')
    given()
      .when({ ...register, kind: 'external' })
      .gives('root-needless')
    given()
      .when({ ...register, kind: 'external', root: undefined })
      .gives([{ type: 'StoreRegistered', data: { kind: 'external', policy: defaultPolicy, at } }])
  })
})

describe('a registered store', () => {
  const change = { type: 'ChangePolicy', ...by, policy: yearly, reason: 'tape' } as const
  const request = {
    type: 'RequestStoreCheck',
    ...by,
    prefix: 'letters/',
    queue: 'high',
    reason: 'flood',
  } as const

  it('may have its policy changed', () => {
    given(registered)
      .when(change)
      .gives([{ type: 'PolicyChanged', data: { policy: yearly, reason: 'tape', at } }])
    expect(given(registered).when(change).state?.policy).toEqual(yearly)
    given(registered)
      .when({ ...change, policy: defaultPolicy })
      .gives([])
  })

  it('keeps of its policy what a change does not name', () => {
    const policy = { intervalDays: 7 }
    given(registered)
      .when({ ...change, policy })
      .gives([
        { type: 'PolicyChanged', data: { policy: { ...defaultPolicy, ...policy }, reason: 'tape', at } },
      ])
  })

  it('may be asked to be checked', () => {
    given(registered)
      .when(request)
      .gives([
        { type: 'StoreCheckRequested', data: { prefix: 'letters/', queue: 'high', reason: 'flood', at } },
      ])
    expect(given(registered).when(request).state).toEqual(given(registered).state)
  })

  it('has to be registered first', () => {
    given().when(change).gives('unknown-store')
    given().when(request).gives('unknown-store')
  })
})

describe('a byte budget a day', () => {
  const budget = { ...defaultPolicy, bytesPerDay: 500_000_000_000 }
  const changed = (policy: Policy): StoreEvent => ({
    type: 'PolicyChanged',
    data: { policy, reason: 'r', at },
  })
  const changing = (policy: object) => ({ type: 'ChangePolicy', ...by, reason: 'r', policy }) as const

  it('is set, changed and taken away, and the rest of the policy stays', () => {
    given(registered)
      .when(changing({ bytesPerDay: budget.bytesPerDay }))
      .gives([changed(budget)])
    given(registered, changed(budget))
      .when(changing({ intervalDays: 365 }))
      .gives([changed({ ...budget, intervalDays: 365 })])
    given(registered, changed(budget))
      .when(changing({ bytesPerDay: 'unlimited' }))
      .gives([changed(defaultPolicy)])
    given(registered)
      .when(changing({ bytesPerDay: 'unlimited' }))
      .gives([])
  })

  it('is a part of the policy that a store is registered with', () => {
    given(registered)
      .when({ ...register, policy: budget })
      .gives('registered-otherwise')
  })

  it('is refused of a store that others read', () => {
    const external = { ...register, kind: 'external', root: undefined } as const
    given()
      .when({ ...external, policy: budget })
      .gives('external-store')
  })
})

describe('a policy', () => {
  it.each([
    ['intervalDays', 0],
    ['intervalDays', 36_501],
    ['intervalDays', 1.5],
    ['lagSeconds', -1],
    ['lagSeconds', 86_401],
    ['awaySeconds', -1],
    ['bytesPerDay', 0],
    ['bytesPerDay', 1.5],
    ['awaySeconds', 31_536_001],
  ])('with %s of %d is none', (field, value) => {
    expect(decode(Policy, { ...defaultPolicy, [field]: value })).toEqual({
      _tag: 'Left',
      left: expect.stringContaining(field),
    })
  })

  it('by default checks each item within 90 days and waits five minutes for records in flight', () => {
    expect(decode(Policy, defaultPolicy)).toEqual({
      _tag: 'Right',
      right: { intervalDays: 90, lagSeconds: 300, replica: false },
    })
  })
})
