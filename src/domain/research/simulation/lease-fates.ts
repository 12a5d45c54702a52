import { addMillis, earlier, millisBetween, SECOND } from '../../kernel/time.ts'
import type { Policy } from '../policy/policy.ts'
import type { LeaseFacts } from './lease-facts.ts'

/*
 * The fates of leases, as recorded and as they would have been under other settings (X14), by one computation. It
 * assumes that researchers took items and reported at the recorded times.
 */

type TimeTerms = Pick<Policy, 'leaseSeconds' | 'itemSeconds' | 'longestLeaseSeconds'>

/**
 * `open`: it waits, or a person ended it before it lapsed. `unknown`: nobody took it before it lapsed; whether somebody
 * would have later is not recorded.
 */
type ItemFate = 'taken' | 'lapsed' | 'open' | 'unknown'

/**
 * Fate of a lease whose work had begun. `ended`: by its last report, its release or a person. `cutShort`: it expired,
 * and reports came afterwards. `abandoned`: it expired, and no report came afterwards.
 */
type LeaseFate = 'ended' | 'cutShort' | 'abandoned' | 'running'

interface Fates {
  readonly items: Readonly<Record<ItemFate, number>>
  readonly leases: Readonly<Record<LeaseFate, number>>
  /** Number of reports after their lease had expired: their pairs may have been leased to another researcher. */
  readonly lateReports: number
  /** Time that pairs of abandoned leases stayed leased after the last sign of their researcher, in sum. */
  readonly idleSeconds: number
}

/** Returns the terms of a lease's grant. */
export const termsOf = ({ grantedAt, notAfter, leaseSeconds, endsBy }: LeaseFacts): TimeTerms => ({
  leaseSeconds,
  itemSeconds: millisBetween(grantedAt, notAfter) / SECOND,
  ...(endsBy !== undefined && { longestLeaseSeconds: millisBetween(grantedAt, endsBy) / SECOND }),
})

/** Computes the fate of each lease under the terms that `termsFor` returns for it, as of `now`. */
export const fatesOf = (
  leases: readonly LeaseFacts[],
  termsFor: (lease: LeaseFacts) => TimeTerms,
  now: string,
): Fates => {
  const items = { taken: 0, lapsed: 0, open: 0, unknown: 0 }
  const fates = { ended: 0, cutShort: 0, abandoned: 0, running: 0 }
  let [lateReports, idleSeconds] = [0, 0]
  for (const lease of leases) {
    const terms = termsFor(lease)
    const item = itemFate(lease, terms, now)
    items[item]++
    if (!wasWorkedOn(lease, item)) continue
    const { fate, late, idleMillis } = leaseFate(lease, terms, now)
    fates[fate]++
    lateReports += late
    idleSeconds += idleMillis / SECOND
  }
  return { items, leases: fates, lateReports, idleSeconds: Math.round(idleSeconds) }
}

/** A researcher that began after the lapse would do so under any settings; others would take another item. */
const wasWorkedOn = ({ takenAt, notAfter }: LeaseFacts, item: ItemFate): boolean =>
  takenAt !== undefined && (item === 'taken' || takenAt >= notAfter)

const itemFate = (
  { grantedAt, notAfter, takenAt, signs }: LeaseFacts,
  { itemSeconds }: TimeTerms,
  now: string,
): ItemFate => {
  const lapsesAt = addMillis(grantedAt, itemSeconds * SECOND)
  if (takenAt !== undefined) return takenAt < lapsesAt ? 'taken' : 'lapsed'
  const stopped = earlier(signs.find(({ ends }) => ends)?.at ?? now, now)
  if (lapsesAt <= earlier(notAfter, stopped)) return 'lapsed'
  return stopped < notAfter ? 'open' : 'unknown'
}

const leaseFate = (
  { grantedAt, takenAt, signs }: LeaseFacts,
  { leaseSeconds, longestLeaseSeconds }: TimeTerms,
  now: string,
): { readonly fate: LeaseFate; readonly late: number; readonly idleMillis: number } => {
  const endsBy =
    longestLeaseSeconds === undefined ? undefined : addMillis(grantedAt, longestLeaseSeconds * SECOND)
  const extended = (at: string): string => {
    const wanted = addMillis(at, leaseSeconds * SECOND)
    return endsBy !== undefined && endsBy < wanted ? endsBy : wanted
  }
  let deadline = addMillis(grantedAt, leaseSeconds * SECOND)
  let lastWord = takenAt ?? grantedAt
  for (const [i, { at, ends }] of signs.entries()) {
    if (at >= deadline) {
      const late = reportsIn(signs.slice(i))
      if (late > 0) return { fate: 'cutShort', late, idleMillis: 0 }
      break
    }
    if (ends) return { fate: 'ended', late: 0, idleMillis: 0 }
    lastWord = at
    // Deadlines never move back (F13).
    if (extended(at) > deadline) deadline = extended(at)
  }
  return deadline > now
    ? { fate: 'running', late: 0, idleMillis: 0 }
    : { fate: 'abandoned', late: 0, idleMillis: Math.max(0, millisBetween(lastWord, deadline)) }
}

/** An extension shows as well as a report that work continues. */
const reportsIn = (signs: LeaseFacts['signs']): number => signs.filter(({ by }) => by !== 'person').length
