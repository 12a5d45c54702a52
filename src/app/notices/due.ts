import type { Known } from '../../domain/kernel/notices.ts'
import type { Cause } from '../../workflows/cause.ts'

/** What is to be told now. */
export interface Due {
  readonly fresh: readonly Cause[]
  /** Told before; there is at least twice as much of it since. */
  readonly grown: readonly Cause[]
  /** Keys of causes that were told and are there no more. */
  readonly over: readonly string[]
}

/** A message stays readable; what is left comes with the next one. */
const maxTold = 200

/**
 * Of each cause one message: again when there is twice as much of it, and when it is over. `isSettled` says that a cause has
 * been there, or has been gone, for long enough to be told.
 */
export const dueOf = (causes: readonly Cause[], known: Known, isSettled: (key: string) => boolean): Due => {
  const settled = causes.filter(({ key }) => isSettled(key))
  const there = new Set(causes.map(({ key }) => key))
  return {
    fresh: settled.filter(({ key }) => known[key] === undefined).slice(0, maxTold),
    grown: settled
      .filter(({ key, weight }) => weight >= 2 * (known[key] ?? Number.POSITIVE_INFINITY))
      .slice(0, maxTold),
    over: Object.keys(known).filter((key) => !there.has(key) && isSettled(key)),
  }
}

export const isNothing = ({ fresh, grown, over }: Due): boolean =>
  fresh.length + grown.length + over.length === 0

/** What people know once it is told. */
export const knownAfter = (known: Known, { fresh, grown, over }: Due): Known => {
  const after: Record<string, number> = { ...known }
  for (const key of over) delete after[key]
  for (const { key, weight } of [...fresh, ...grown]) after[key] = weight
  return after
}

/** How long each cause has been there, or gone, as far as this process has seen: `now` in milliseconds that only grow. */
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
