import type { Known } from '../../domain/kernel/notices.ts'
import type { Cause } from '../../workflows/cause.ts'

/** Causes to report now. */
export interface Due {
  readonly fresh: readonly Cause[]
  /** Reported before; its weight has at least doubled since. */
  readonly grown: readonly Cause[]
  /** Keys of causes that were reported and are over. */
  readonly over: readonly string[]
}

/** Limit that keeps a message readable; the rest comes with the next one. */
const maxReported = 200

/**
 * Reports each cause once: again when its weight has doubled, and when it is over. `isStable` returns whether a cause
 * has existed, or has been over, for long enough to be reported.
 */
export const dueOf = (causes: readonly Cause[], known: Known, isStable: (key: string) => boolean): Due => {
  const stable = causes.filter(({ key }) => isStable(key))
  const there = new Set(causes.map(({ key }) => key))
  return {
    fresh: stable.filter(({ key }) => known[key] === undefined).slice(0, maxReported),
    grown: stable
      .filter(({ key, weight }) => weight >= 2 * (known[key] ?? Number.POSITIVE_INFINITY))
      .slice(0, maxReported),
    over: Object.keys(known).filter((key) => !there.has(key) && isStable(key)),
  }
}

export const isNothing = ({ fresh, grown, over }: Due): boolean =>
  fresh.length + grown.length + over.length === 0

/** Returns the causes that are reported once the message is sent, with their weights. */
export const knownAfter = (known: Known, { fresh, grown, over }: Due): Known => {
  const after: Record<string, number> = { ...known }
  for (const key of over) delete after[key]
  for (const { key, weight } of [...fresh, ...grown]) after[key] = weight
  return after
}

/**
 * Tracks how long each cause has existed, or has been over, as this process has seen: `now` in milliseconds that only
 * grow.
 */
export const watchCauses = () => {
  let seen = new Map<string, { readonly isThere: boolean; readonly since: number }>()
  return {
    see: (causes: readonly Cause[], known: Known, now: number): void => {
      const there = new Set(causes.map(({ key }) => key))
      seen = new Map(
        [...there, ...Object.keys(known)].map((key) => {
          const before = seen.get(key)
          const isThere = there.has(key)
          return [key, before?.isThere === isThere ? before : { isThere, since: now }]
        }),
      )
    },
    lastedMillis: (key: string, now: number): number => now - (seen.get(key)?.since ?? now),
  }
}
