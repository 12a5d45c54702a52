import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRetryBudget, nextStep, type Tried } from '../../../infra/s3/retry.ts'
import { runs } from '../../runs.ts'

const first: Tried = { requests: 1, maxRequests: 6, learnt: new Set() }
const now = Date.parse('2026-01-01T00:00:00Z')
const here = { now, hasToken: false, region: 'us-east-1' }
const failure = { status: 503, code: 'SlowDown', isTransient: true, hints: {} }

describe('the step after a failed request', () => {
  it('waits no longer than twice as long as before, and never over its limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 10 ** 9 }),
        (requests, retryAfterMillis) => {
          const step = nextStep(
            { ...failure, hints: { retryAfterMillis } },
            { ...first, requests, maxRequests: 50 },
            here,
          )
          if (step.kind !== 'wait') return false
          const asked = Math.min(retryAfterMillis, 60_000)
          return step.millis >= asked && step.millis <= asked + Math.min(20_000, 100 * 2 ** (requests - 1))
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it.each([
    ['no attempt is left', failure, { ...first, requests: 6 }],
    [
      'another attempt changes nothing',
      { ...failure, status: 403, code: 'AccessDenied', isTransient: false },
      first,
    ],
    [
      'the lesson was learnt before',
      { ...failure, status: 400, code: 'ExpiredToken', isTransient: false },
      { ...first, learnt: new Set(['credentials'] as const) },
    ],
  ])('fails where %s', (_, error, tried) => {
    expect(nextStep(error, tried, here)).toEqual({ kind: 'fail' })
  })

  const refusal = { status: 403, code: 'HTTP403', isTransient: false, hints: {} }
  it.each([
    ['the clock of RequestTimeTooSkewed', { ...refusal, code: 'RequestTimeTooSkewed' }, {}, 'clock'],
    [
      'the clock of HEAD, if the two are far apart',
      { ...refusal, hints: { serverTime: now + 300_000 } },
      {},
      'clock',
    ],
    ['credentials that expired', { ...refusal, status: 400, code: 'ExpiredToken' }, {}, 'credentials'],
    [
      'credentials of HEAD, if they can expire',
      { ...refusal, status: 400, code: 'HTTP400' },
      { hasToken: true },
      'credentials',
    ],
    [
      'another region',
      { ...refusal, status: 301, code: 'PermanentRedirect', hints: { region: 'eu-west-1' } },
      {},
      'region',
    ],
    [
      'another region of HEAD',
      { ...refusal, status: 400, code: 'HTTP400', hints: { region: 'eu-west-1' } },
      {},
      'region',
    ],
  ] as const)('learns %s', (_, error, differing, lesson) => {
    expect(nextStep(error, first, { ...here, ...differing })).toEqual({ kind: 'learn', lesson })
  })

  it.each([
    ['HEAD that is refused with clocks that agree', { ...refusal, hints: { serverTime: now + 1000 } }],
    ['the region in which it is', { ...refusal, hints: { region: 'us-east-1' } }],
    ['a missing key', { ...refusal, status: 404, code: 'HTTP404', hints: { serverTime: now + 300_000 } }],
  ])('learns nothing of %s', (_, error) => {
    expect(nextStep(error, first, here)).toEqual({ kind: 'fail' })
  })
})

describe('the budget of retries', () => {
  it('comes back with what succeeds, a tenth at a time', () => {
    const budget = createRetryBudget()
    for (let i = 0; i < 200; i++) expect(budget.spend()).toBe(true)
    expect(budget.spend()).toBe(false)
    for (let i = 0; i < 11; i++) budget.refill()
    expect([budget.spend(), budget.spend()]).toEqual([true, false])
  })
})
