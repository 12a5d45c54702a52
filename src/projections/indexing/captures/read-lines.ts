import { setImmediate } from 'node:timers/promises'
import { type CaptureLine, type CaptureQuery, type Cut, captureLine, type SearchEnd } from '@fonds/cdx'
import type { CaptureSource } from './capture-source.ts'
import { scanRanges } from './scan-ranges.ts'

/** A line that a query lets pass. */
export interface Found {
  readonly line: CaptureLine
  /** Among the lines of its key and time, from 1. */
  readonly place: number
  /** An earlier answer ended with it. */
  readonly isSeen: boolean
}

/** How far a query has come. */
export interface Reading {
  scanned: number
  /** Visible lines among those scanned. */
  visible: number
  /** Milliseconds of its work. */
  millis: number
  /** The last line read. */
  last: Found | undefined
  cut: Cut | undefined
}

export const startReading = (): Reading => ({
  scanned: 0,
  visible: 0,
  millis: 0,
  last: undefined,
  cut: undefined,
})

/**
 * Milliseconds of work after which others are served, within a batch, too: a pattern may take long over a long line.
 */
const turnMillis = 10

/** Visible lines of the query's keys, times and filters, in the order of the index or backwards. */
export async function* readLines(
  source: CaptureSource,
  query: CaptureQuery,
  reading: Reading,
): AsyncGenerator<readonly Found[]> {
  const { isHidden, maxScanned, maxMillis } = source
  const passes = condition(query)
  const cut = (by: 'scan' | 'time') => {
    reading.cut = by
    source.onCut?.(by)
  }
  const { resume, page = { skip: 0, take: Number.POSITIVE_INFINITY } } = query
  const pageEnd = page.skip + page.take
  /** Milliseconds of work since others were served. */
  let turn = 0
  for (const range of scanRanges(query)) {
    for await (const batch of source.index.scan({ ...range, ...asOf(source) })) {
      const founds: Found[] = []
      let start = performance.now()
      for (const bytes of batch) {
        if (reading.visible === pageEnd || reading.cut) break
        if (reading.scanned === maxScanned) {
          cut('scan')
          break
        }
        if (turn + performance.now() - start > turnMillis) {
          reading.millis += turn + performance.now() - start
          turn = 0
          await setImmediate()
          start = performance.now()
          if (reading.millis > maxMillis) {
            cut('time')
            break
          }
        }
        const line = captureLine(textOf(bytes))
        if (!line) {
          reading.scanned++
          continue
        }
        const place = isSameMoment(line, reading.last?.line) ? (reading.last?.place ?? 0) + 1 : 1
        const isSeen = resume !== undefined && isSameMoment(line, resume) && place <= resume.place
        const found = { line, place, isSeen }
        reading.last = found
        // Not counted: an answer comes further than the one before, however small its limit.
        if (!isSeen) reading.scanned++
        else if (place < resume.place) continue
        if (isHidden?.(line)) continue
        reading.visible++
        if (reading.visible > page.skip && passes(line)) founds.push(found)
      }
      turn += performance.now() - start
      yield founds
      if (reading.cut || reading.visible === pageEnd) return
    }
  }
}

/** For the end of an answer: a page is behind the last one if no visible line is left for it. The first page always exists. */
export const behindLastPage = (
  { page }: CaptureQuery,
  { visible }: Reading,
): Pick<SearchEnd, 'isBehindLastPage'> =>
  page && page.skip > 0 && visible <= page.skip ? { isBehindLastPage: true } : {}

/** Condition of the query's times and filters on a line. */
export const condition = ({
  from = '',
  to = '99999999999999',
  filters = [],
}: CaptureQuery): ((line: CaptureLine) => boolean) => {
  const inTime = (line: CaptureLine) => line.time >= from && line.time <= to
  return filters.length === 0 ? inTime : (line) => inTime(line) && filters.every((holds) => holds(line))
}

const asOf = ({ asOf }: CaptureSource) => (asOf === undefined ? {} : { asOf })

type Moment = Pick<CaptureLine, 'key' | 'time'>

const isSameMoment = (line: Moment, other: Moment | undefined): boolean =>
  other !== undefined && line.time === other.time && line.key === other.key

export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
