import { addMillis, DAY } from '../kernel/time.ts'
import type { Attempt } from './events.ts'

export const attemptsInRun = 3

/** Restarts that use up no attempt are bounded: a person must learn of content that always changes. */
export const deferralsInRun = 12

/** The next attempt after so many that failed. */
export const attemptAfter = (failures: number): Attempt =>
  (['first', 'penultimate'] as const)[failures] ?? 'last'

/**
 * When the run after this one is due: between 0.9 and 1 times the interval, never later. `seed` fixes where between,
 * so that items recorded together do not come due together.
 */
export const nextDue = (from: string, intervalDays: number, seed: string): string => {
  const interval = intervalDays * DAY
  return addMillis(from, interval - Math.floor(fraction(seed) * 0.1 * interval))
}

/** FNV-1a with a final mix, as a number from 0 to below 1. */
const fraction = (seed: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
