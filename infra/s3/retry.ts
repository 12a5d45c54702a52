import { type Backoff, backoffMillis } from '../../src/async/backoff.ts'
import type { Hints, S3Error } from './errors.ts'

/** Earlier requests of one call. */
export interface Tried {
  /** At least 1. */
  readonly requests: number
  readonly maxRequests: number
  /** Each of these is learnt once a call. */
  readonly learnt: ReadonlySet<Lesson>
}

export type Lesson = 'clock' | 'credentials' | 'region'

export type NextStep =
  | { readonly kind: 'fail' }
  | { readonly kind: 'wait'; readonly millis: number }
  | { readonly kind: 'learn'; readonly lesson: Lesson }

/** Clocks further apart are why a server refuses a request. S3 allows 15 minutes, some allow 5. */
const maxSkewMillis = 4 * 60_000

/** With full jitter: of many callers that were refused together, no two come again together. */
const usual: Backoff = { minMillis: 100, maxMillis: 20_000, jitter: 1 }
const maxRetryAfterMillis = 60_000

/** Decides on a failure. `now`: our clock as the last request was signed; `hasToken`: its credentials may expire. */
export const nextStep = (
  error: Pick<S3Error, 'status' | 'code' | 'isTransient' | 'hints'>,
  tried: Tried,
  { now, hasToken, region }: { readonly now: number; readonly hasToken: boolean; readonly region: string },
): NextStep => {
  if (tried.requests >= tried.maxRequests) return { kind: 'fail' }
  const lesson = lessonOf(error, { now, hasToken, region })
  if (lesson) return tried.learnt.has(lesson) ? { kind: 'fail' } : { kind: 'learn', lesson }
  if (!error.isTransient) return { kind: 'fail' }
  const wished = Math.min(error.hints.retryAfterMillis ?? 0, maxRetryAfterMillis)
  return { kind: 'wait', millis: wished + backoffMillis(tried.requests - 1, usual) }
}

/** Answers to HEAD have no code, so that the status has to do. */
const lessonOf = (
  { status, code, hints }: { readonly status: number; readonly code: string; readonly hints: Hints },
  { now, hasToken, region }: { readonly now: number; readonly hasToken: boolean; readonly region: string },
): Lesson | undefined => {
  if (status < 300 || (status >= 400 && status !== 400 && status !== 401 && status !== 403)) return undefined
  if (hints.region !== undefined && hints.region !== region) return 'region'
  const isUnnamed = code === `HTTP${status}`
  const skew = hints.serverTime === undefined ? 0 : Math.abs(hints.serverTime - now)
  if (code === 'RequestTimeTooSkewed' || (isUnnamed && status === 403 && skew > maxSkewMillis)) return 'clock'
  if (code === 'ExpiredToken' || code === 'TokenRefreshRequired') return 'credentials'
  return isUnnamed && status >= 400 && hasToken ? 'credentials' : undefined
}

/** Retries that a bucket's callers may make together: a server that refuses everything is not asked six times as often. */
export interface RetryBudget {
  /** Takes one; false if none is left. */
  spend(): boolean
  /** A request succeeded: a tenth of a retry comes back. */
  refill(): void
}

const maxRetries = 200

export const createRetryBudget = (): RetryBudget => {
  let left = maxRetries
  return {
    spend: () => {
      if (left < 1) return false
      left -= 1
      return true
    },
    refill: () => {
      left = Math.min(maxRetries, left + 0.1)
    },
  }
}
