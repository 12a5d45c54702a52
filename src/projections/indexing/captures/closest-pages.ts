import {
  type CaptureLine,
  type CapturePage,
  type CaptureQuery,
  type ClosestFirst,
  captureLine,
  earliest,
  millisOf,
} from '@fonds/cdx'
import type { CaptureSource } from './capture-source.ts'
import { collapsing } from './collapsing.ts'
import { behindLastPage, condition, readLines, startReading, textOf } from './read-lines.ts'

/** Lines to a page. */
const pageLines = 256

/** Most captures of many keys that are sorted in memory. */
const maxSorted = 10_000

/**
 * Captures in pages, the nearest in time first. Captures of one key are found by position in the index; for several
 * keys, all are read.
 */
export const closestPages = (
  source: CaptureSource,
  query: CaptureQuery,
  order: ClosestFirst,
): AsyncGenerator<CapturePage> =>
  'key' in query.keys && !query.collapses?.length && !query.page
    ? ofKey(source, query, order, query.keys.key)
    : sorted(source, query, order)

async function* ofKey(
  source: CaptureSource,
  query: CaptureQuery,
  { closest, tie }: ClosestFirst,
  key: string,
): AsyncGenerator<CapturePage> {
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const passes = condition(query)
  const wanted = {
    key: Buffer.from(key),
    time: closest,
    tie,
    ...(source.asOf !== undefined && { asOf: source.asOf }),
  }
  let page: CaptureLine[] = []
  let scanned = 0
  let passed = 0
  let cut: 'limit' | 'scan' | undefined = limit === 0 ? 'limit' : undefined
  if (!cut)
    for await (const bytes of source.index.closest(wanted)) {
      if (scanned === source.maxScanned) {
        cut = 'scan'
        source.onCut?.('scan')
        break
      }
      scanned++
      const line = captureLine(textOf(bytes))
      if (!line || source.isHidden?.(line) || !passes(line)) continue
      passed++
      if (passed > offset) page.push(line)
      if (passed === offset + limit) {
        cut = 'limit'
        break
      }
      if (page.length < pageLines) continue
      yield { lines: page }
      page = []
    }
  yield { lines: page, end: { scanned, ...(cut && { cut }) } }
}

async function* sorted(
  source: CaptureSource,
  query: CaptureQuery,
  { closest, tie }: ClosestFirst,
): AsyncGenerator<CapturePage> {
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = query
  const most = Math.min(offset + limit, maxSorted)
  const { order: _, ...inOrder } = query
  const reading = startReading()
  const collapsed = collapsing(query.collapses ?? [])
  const target = millisOf(earliest(closest))
  const nearest = nearestOf(most, target, tie)
  for await (const batch of readLines(source, inOrder, reading))
    for (const found of batch) {
      const shown = collapsed.next(found)
      if (shown) nearest.add(shown.line)
    }
  for (const { line } of collapsed.rest()) nearest.add(line)
  const cut = reading.cut ?? (nearest.added() > most ? 'limit' : undefined)
  yield {
    lines: nearest.lines().slice(offset),
    end: { scanned: reading.scanned, ...(cut && { cut }), ...behindLastPage(query, reading) },
  }
}

/** Keeps the `most` nearest captures; of equally near ones the first, or the later, if that is wanted. */
const nearestOf = (most: number, target: number, tie: ClosestFirst['tie']) => {
  let kept: { readonly line: CaptureLine; readonly distance: number }[] = []
  let count = 0
  const later = tie === 'later' ? 1 : 0
  const sort = () => {
    kept.sort(
      (a, b) =>
        a.distance - b.distance ||
        later * (b.line.time < a.line.time ? -1 : b.line.time > a.line.time ? 1 : 0),
    )
    kept = kept.slice(0, most)
  }
  return {
    add: (line: CaptureLine): void => {
      count++
      kept.push({ line, distance: Math.abs(millisOf(line.time) - target) })
      if (kept.length >= 2 * most + pageLines) sort()
    },
    added: () => count,
    lines: (): readonly CaptureLine[] => {
      sort()
      return kept.map(({ line }) => line)
    },
  }
}
