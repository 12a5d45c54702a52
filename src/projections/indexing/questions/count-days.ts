import type { CaptureLine, CaptureQuery, SearchEnd } from '@fonds/cdx'
import * as t from 'io-ts'
import { dayOf } from '../../../domain/indexing/captures/time-digits.ts'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'

export const DayCount = t.type({
  /** `2026-01-31`. */
  day: t.string,
  captures: t.number,
  /** Records among them that repeat an earlier one. */
  revisits: t.number,
  /** Answers among the others with a status of 300 to 399, and of 400 to 599. */
  redirects: t.number,
  errors: t.number,
})
export type DayCount = t.TypeOf<typeof DayCount>

export interface CountedDays {
  /** Days with captures, in order. */
  readonly days: readonly DayCount[]
  readonly total: number
  readonly end: SearchEnd
}

/** Captures a day. A key of any number of captures takes the memory of its days. Throws what aborted it. */
export const countDays = async (
  source: CaptureSource,
  query: CaptureQuery,
  signal: AbortSignal,
): Promise<CountedDays> => {
  const counts = new Map<string, DayCount>()
  let end: SearchEnd = { scanned: 0 }
  let total = 0
  for await (const page of findCaptures(source, query)) {
    signal.throwIfAborted()
    for (const line of page.lines) {
      const day = dayOf(line.time)
      const counted = counts.get(day) ?? { day, captures: 0, revisits: 0, redirects: 0, errors: 0 }
      counts.set(day, counted)
      counted.captures++
      const outcome = outcomeOf(line)
      if (outcome) counted[outcome]++
      total++
    }
    if (page.end) end = page.end
  }
  return { days: [...counts.values()].sort((a, b) => (a.day < b.day ? -1 : 1)), total, end }
}

const outcomeOf = ({ field }: CaptureLine): 'revisits' | 'redirects' | 'errors' | undefined => {
  if (field('mime') === 'warc/revisit') return 'revisits'
  const status = field('status')
  return /^3\d\d$/.test(status) ? 'redirects' : /^[45]\d\d$/.test(status) ? 'errors' : undefined
}
