import type { Gap } from '@fonds/sound/decode'
import { type Gaps, maxGaps } from '../../../domain/research/terms.ts'

/** Nanoseconds in place of seconds; of many gaps, the longest are listed. Undefined if there are none. */
export const gapsOf = (gaps: readonly Gap[]): Gaps | undefined => {
  if (gaps.length === 0) return undefined
  const all = gaps.map(({ at, seconds }) => ({ offset: nanos(at), duration: Math.max(1, nanos(seconds)) }))
  const longest = all.toSorted((one, other) => other.duration - one.duration).slice(0, maxGaps)
  return {
    count: all.length,
    duration: all.reduce((sum, { duration }) => sum + duration, 0),
    places: longest.sort((one, other) => one.offset - other.offset),
  }
}

const nanos = (seconds: number): number => Math.round(seconds * 1e9)
