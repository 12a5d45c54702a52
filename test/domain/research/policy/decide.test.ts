import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SetPolicy } from '#src/domain/research/policy/commands.ts'
import { policyDecider, policyOf } from '#src/domain/research/policy/decide.ts'
import type { PolicyEvent } from '#src/domain/research/policy/events.ts'
import { defaultPolicy, type Policy, whyRejected } from '#src/domain/research/policy/policy.ts'
import { specify } from '../../../given.ts'

const given = specify(policyDecider)
const at = '2026-01-31T12:00:00.000Z'
const by = { actor: 'ada', at, reason: 'a good one' }
const because = { reason: by.reason, at }

const set = (policy: SetPolicy['policy']) => ({ type: 'SetPolicy', policy, ...by }) as const
const wasSet = (version: number, policy: Partial<Policy>): PolicyEvent => ({
  type: 'PolicySet',
  data: { version, policy: { ...defaultPolicy, ...policy }, ...because },
})
const refusal = (policy: SetPolicy['policy'], ...history: readonly PolicyEvent[]): string => {
  const outcome = given(...history).when(set(policy))
  outcome.gives('unfit-policy')
  return JSON.stringify(outcome.result)
}

describe('settings', () => {
  it('X14: change by what is said, each change a version', () => {
    given()
      .when(set({ maxClips: 2 }))
      .gives([wasSet(1, { maxClips: 2 })])
    given(wasSet(1, { maxClips: 2 }))
      .when(set({ batchClips: 10, batchSeconds: 60 }))
      .gives([wasSet(2, { maxClips: 2, batchClips: 10, batchSeconds: 60 })])
  })

  it('are those that Fonds comes with until then', () => {
    expect(policyOf(given().state)).toEqual({ version: 0, policy: defaultPolicy })
    expect(policyOf(given().when(set({ maxClips: 2 })).state)).toEqual({
      version: 1,
      policy: { ...defaultPolicy, maxClips: 2 },
    })
  })

  it('that change nothing are no news', () => {
    given().when(set({})).gives([])
    given()
      .when(set({ maxClips: defaultPolicy.maxClips, agingSeconds: undefined }))
      .gives([])
    given()
      .when(set({ agingSeconds: null }))
      .gives([])
  })

  it('null takes an optional one away, and no other', () => {
    given()
      .when(set({ agingSeconds: 3600 }))
      .gives([wasSet(1, { agingSeconds: 3600 })])
    given(wasSet(1, { agingSeconds: 3600 }))
      .when(set({ agingSeconds: null }))
      .gives([wasSet(2, {})])
    expect(refusal({ maxClips: null })).toMatch(
      /maxClips: wants whole number from 1 to 10000.*nothing was changed/,
    )
  })

  it('L27: an item that outlives its lease is refused, naming field and fix', () => {
    const below = /itemSeconds \((5400|7200)\) must be below leaseSeconds/
    expect(refusal({ itemSeconds: 7200 })).toMatch(below)
    expect(refusal({ leaseSeconds: 5400 })).toMatch(below)
    expect(refusal({ leaseSeconds: 5400 }, wasSet(1, { maxClips: 2 }))).toMatch(below)
  })

  it('F6, F29: so is too narrow a gap, and a longest life below the lease', () => {
    expect(refusal({ itemSeconds: 7000 })).toMatch(/leaseSeconds \(7200\) must be at least.*7600/)
    given()
      .when(set({ itemSeconds: 6600 }))
      .gives([wasSet(1, { itemSeconds: 6600 })])
    expect(refusal({ longestLeaseSeconds: 7199 })).toMatch(/longestLeaseSeconds \(7199\) must not be below/)
  })

  it('X12: new clips wait for a number and a time, or for neither: one alone would have none wait', () => {
    expect(refusal({ batchClips: 50 })).toMatch(/batchSeconds \(0\) must be above 0 where batchClips is 50/)
    expect(refusal({ batchSeconds: 60 })).toMatch(/batchClips \(1\) must be above 1/)
    const waiting = wasSet(1, { batchClips: 50, batchSeconds: 60 })
    expect(refusal({ batchClips: 1 }, waiting)).toMatch(/both 1 and 0 have none wait/)
    given(waiting)
      .when(set({ batchClips: 1, batchSeconds: 0 }))
      .gives([wasSet(2, {})])
  })

  it('that are no numbers of their kind are refused', () => {
    expect(refusal({ maxClips: 0 })).toContain('maxClips')
    expect(refusal({ presenceSeconds: 1.5 })).toContain('presenceSeconds')
  })
})

describe('pausing', () => {
  const pause = { type: 'Pause', ...by } as const
  const resume = { type: 'Resume', ...by } as const
  const paused: PolicyEvent = { type: 'AssigningPaused', data: because }
  const resumed: PolicyEvent = { type: 'AssigningResumed', data: because }

  it('X7: holds until work is resumed', () => {
    given().when(pause).gives([paused])
    given(paused).when(pause).gives([])
    given(paused).when(resume).gives([resumed])
    given().when(resume).gives([])
    given(paused, resumed).when(pause).gives([paused])
  })
})

describe('curators', () => {
  const exclude = { type: 'ExcludeCurator', curator: 'feed', ...by } as const
  const include = { type: 'IncludeCurator', curator: 'feed', ...by } as const
  const excluded: PolicyEvent = { type: 'CuratorExcluded', data: { curator: 'feed', ...because } }
  const included: PolicyEvent = { type: 'CuratorIncluded', data: { curator: 'feed', ...because } }

  it('X7: are excluded until they are included, each by itself', () => {
    given().when(exclude).gives([excluded])
    given(excluded).when(exclude).gives([])
    given(excluded).when(include).gives([included])
    given(excluded, included).when(include).gives([])
    given(excluded)
      .when({ ...include, curator: 'site' })
      .gives([])
    given(excluded)
      .when({ ...exclude, curator: 'site' })
      .gives([{ type: 'CuratorExcluded', data: { curator: 'site', ...because } }])
  })
})

it('X7: a curator whom the log names in two ways is excluded and included by both', () => {
  const reference = { type: 'ExcludeCurator', curator: 'personal:feed', formerly: 'feed', ...by } as const
  const events = ['personal:feed', 'feed'].map(
    (curator): PolicyEvent => ({ type: 'CuratorExcluded', data: { curator, ...because } }),
  )
  given().when(reference).gives(events)
  given(...events)
    .when(reference)
    .gives([])
  given(events[1]!)
    .when({ ...reference, type: 'IncludeCurator' })
    .gives([{ type: 'CuratorIncluded', data: { curator: 'feed', ...because } }])
})

describe('pinned curators', () => {
  const pin = { type: 'PinCurator', curator: 'feed', ...by } as const
  const unpin = { type: 'UnpinCurator', curator: 'feed', ...by } as const
  const pinned: PolicyEvent = { type: 'CuratorPinned', data: { curator: 'feed', ...because } }
  const unpinned: PolicyEvent = { type: 'CuratorUnpinned', data: { curator: 'feed', ...because } }

  it('X7: are pinned until they are unpinned, each by itself, excluded or not', () => {
    given().when(pin).gives([pinned])
    given(pinned).when(pin).gives([])
    given(pinned).when(unpin).gives([unpinned])
    given(pinned, unpinned).when(unpin).gives([])
    given(pinned)
      .when({ ...unpin, curator: 'site' })
      .gives([])
    given(pinned)
      .when({ type: 'IncludeCurator', curator: 'feed', ...by })
      .gives([])
  })
})

it('waiting clips are released whenever somebody says so', () => {
  const released: PolicyEvent = { type: 'WaitingClipsReleased', data: because }
  given(released)
    .when({ type: 'ReleaseWaitingClips', ...by })
    .gives([released])
})

it('X9: a request to reopen is kept as it was said', () => {
  given()
    .when({ type: 'RequestReopen', engines: ['correlator 1'], clips: ['a'], ...by })
    .gives([{ type: 'ReopenRequested', data: { engines: ['correlator 1'], clips: ['a'], ...because } }])
  given()
    .when({ type: 'RequestReopen', ...by })
    .gives([{ type: 'ReopenRequested', data: because }])
})

describe('whatever is set', () => {
  const seconds = fc.constantFrom(1, 60, 600, 5400, 6600, 7200, 86_400, null, undefined)
  const change = fc.record<SetPolicy['policy']>(
    {
      leaseSeconds: seconds,
      itemSeconds: seconds,
      gapSeconds: seconds,
      longestLeaseSeconds: seconds,
      agingSeconds: seconds,
      maxClips: fc.constantFrom(0, 1, 100),
      batchClips: fc.constantFrom(1, 50),
      batchSeconds: fc.constantFrom(0, 3600),
    },
    { requiredKeys: [] },
  )

  it('the settings in force work together, and versions have no gap', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        let state = policyDecider.initial
        const versions: number[] = []
        for (const policy of changes) {
          const decided = policyDecider.decide(set(policy), state)
          const events = decided._tag === 'Right' ? decided.right : []
          for (const event of events) if (event.type === 'PolicySet') versions.push(event.data.version)
          state = events.reduce(policyDecider.evolve, state)
          expect(whyRejected(policyOf(state).policy)).toBeUndefined()
          // Told again, it is no news.
          if (decided._tag === 'Right')
            expect(policyDecider.decide(set(policy), state)).toMatchObject({ right: [] })
        }
        expect(versions).toEqual(versions.map((_, i) => i + 1))
      }),
    )
  })
})
