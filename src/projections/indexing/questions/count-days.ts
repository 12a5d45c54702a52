import type { CaptureQuery, SearchEnd } from '../../../domain/indexing/captures/capture-query.ts'
import { dayOf } from '../../../domain/indexing/captures/time-digits.ts'
import type { CaptureSource } from '../../../ports/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'

export interface CountedDays {
  /** `2026-01-31`, in order, with how many captures it has. */
  readonly days: readonly { readonly day: string; readonly captures: number }[]
  readonly total: number
  readonly end: SearchEnd
}

/** Captures a day. A key of any number of captures takes the memory of its days. Throws what aborted it. */
export const countDays = async (
  source: CaptureSource,
  query: CaptureQuery,
  signal: AbortSignal,
): Promise<CountedDays> => {
  const counts = new Map<string, number>()
  let end: SearchEnd = { scanned: 0 }
  let total = 0
  for await (const page of findCaptures(source, query)) {
    signal.throwIfAborted()
    for (const { time } of page.lines) {
      const day = dayOf(time)
      counts.set(day, (counts.get(day) ?? 0) + 1)
      total++
    }
    if (page.end) end = page.end
  }
  const days = [...counts].map(([day, captures]) => ({ day, captures }))
  return { days: days.sort((a, b) => (a.day < b.day ? -1 : 1)), total, end }
}
