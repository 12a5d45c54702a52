import {
  type CaptureLine,
  type CaptureQuery,
  earliest,
  latest,
  prefixRange,
  type SearchEnd,
  surt,
} from '@fonds/cdx'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'
import {
  captureElement,
  documentEnd,
  documentStart,
  errorElement,
  incomplete,
  requestElement,
  urlElement,
} from './documents.ts'
import type { XmlQuery } from './parse-query.ts'
import { urlSummaries } from './url-summaries.ts'

/** Most results counted, those of other pages included. */
const maxCounted = 100_000

/** Progress of an answer. */
interface Progress {
  returned: number
  results: number
  end: SearchEnd | undefined
}

/** The document that answers a query, in parts. `now`: ISO 8601. Throws `UnavailableError`. */
export async function* answerQuery(
  source: CaptureSource,
  query: XmlQuery,
  now: string,
): AsyncGenerator<string> {
  const progress: Progress = { returned: 0, results: 0, end: undefined }
  let text = documentStart
  for await (const element of elementsOf(source, query, progress)) {
    text += `${progress.returned === 1 ? '<results>' : ''}${element}\n`
    if (text.length < partLength) continue
    yield text
    text = ''
  }
  const { returned, results, end } = progress
  yield [
    text,
    returned > 0
      ? `</results>${requestElement(query, { key: surt(query.url), returned, results, now: now.replace(/\D/g, '').slice(0, 14) })}`
      : errorElement('Resource Not In Archive', 'The resource you requested is not in this archive.'),
    end?.cut === 'scan' || end?.cut === 'time' ? incomplete(end.scanned) : '',
    documentEnd,
  ].join('')
}

const partLength = 64 * 1024

const elementsOf = (
  source: CaptureSource,
  query: XmlQuery,
  progress: Progress,
): AsyncGenerator<string, void> => {
  const { type, url, date, startPage, startDate, endDate } = query
  const times = {
    ...(startDate !== undefined && { from: earliest(startDate) }),
    ...(endDate !== undefined && { to: latest(endDate) }),
  }
  const lines = (asked: CaptureQuery) => linesOf(source, asked, progress)
  if (type === 'prefixquery')
    return pageOf(
      query,
      urlSummaries(lines({ keys: { ranges: [prefixRange(url)] }, ...times })),
      progress,
      urlElement,
    )
  const asked = { keys: { key: surt(url) }, ...times }
  return date === undefined || startPage > 1
    ? pageOf(query, lines(asked), progress, captureElement)
    : nearest(lines({ ...asked, order: { closest: date, tie: 'earlier' }, limit: query.count }), progress)
}

async function* linesOf(
  source: CaptureSource,
  asked: CaptureQuery,
  progress: Progress,
): AsyncGenerator<CaptureLine> {
  for await (const { lines, end } of findCaptures(source, asked)) {
    progress.end = end
    yield* lines
  }
}

/** The items of the page in their order; those of other pages are counted. */
async function* pageOf<A>(
  { count, startPage }: XmlQuery,
  items: AsyncIterable<A>,
  progress: Progress,
  element: (item: A) => string,
): AsyncGenerator<string, void> {
  const skipped = (startPage - 1) * count
  for await (const item of items) {
    progress.results++
    if (progress.results > skipped && progress.returned < count) {
      progress.returned++
      yield element(item)
    } else if (progress.results >= maxCounted && progress.returned > 0) return
  }
}

/** Captures of one URL, in the order of time: if there are more than a page holds, the nearest ones. */
async function* nearest(lines: AsyncIterable<CaptureLine>, progress: Progress): AsyncGenerator<string, void> {
  const found: CaptureLine[] = []
  for await (const line of lines) found.push(line)
  const [closest] = found
  found.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  progress.results = found.length
  for (const line of found) {
    progress.returned++
    yield captureElement(line, line === closest)
  }
}
