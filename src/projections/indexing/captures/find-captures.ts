import type { CaptureLine, CapturePage, CaptureQuery } from '@fonds/cdx'
import type { CaptureSource } from './capture-source.ts'
import { closestPages } from './closest-pages.ts'
import { collapsing } from './collapsing.ts'
import { behindLastPage, type Found, readLines, startReading } from './read-lines.ts'

/**
 * The captures of a query, in its order, in pages that are made on demand. It ends by itself at the bounds of the
 * source, and reports that in its last page. Throws `UnavailableError`.
 */
export const findCaptures = (source: CaptureSource, query: CaptureQuery): AsyncGenerator<CapturePage> =>
  typeof query.order === 'object' ? closestPages(source, query, query.order) : inOrder(source, query)

async function* inOrder(source: CaptureSource, query: CaptureQuery): AsyncGenerator<CapturePage> {
  const reading = startReading()
  const collapsed = collapsing(query.collapses ?? [])
  const counted = counting(query)
  if (!counted.isFull())
    for await (const batch of readLines(source, query, reading)) {
      for (const found of batch) {
        const shown = found.isSeen ? collapsed.prime(found) : collapsed.next(found)
        if (shown) counted.take(shown)
        if (counted.isFull()) break
      }
      if (counted.isFull()) break
      const lines = counted.page()
      if (lines.length > 0) yield { lines }
    }
  if (!counted.isFull()) for (const shown of collapsed.rest()) counted.take(shown)
  const scanned = reading.scanned
  const lines = counted.page()
  if (counted.isFull()) yield { lines, end: { scanned, cut: 'limit', ...resumeAt(counted.last()) } }
  else
    yield {
      lines,
      end: {
        scanned,
        ...(reading.cut && { cut: reading.cut, ...resumeAt(reading.last) }),
        ...behindLastPage(query, reading),
      },
    }
}

const resumeAt = (found: Found | undefined) =>
  found ? { resume: { key: found.line.key, time: found.line.time, place: found.place } } : {}

/** Applies offset and limit. */
const counting = ({ offset = 0, limit = Number.POSITIVE_INFINITY, detectsMore }: CaptureQuery) => {
  let skipped = 0
  let taken = 0
  let isMore = false
  let last: Found | undefined
  let lines: CaptureLine[] = []
  return {
    take: (found: Found): void => {
      if (taken === limit) isMore = true
      else if (skipped < offset) skipped++
      else {
        lines.push(found.line)
        last = found
        taken++
      }
    },
    isFull: (): boolean => (taken === limit && !detectsMore) || isMore,
    last: () => last,
    page: (): readonly CaptureLine[] => {
      const page = lines
      lines = []
      return page
    },
  }
}
