import { setImmediate } from 'node:timers/promises'
import type { Outlet } from './answer-stream.ts'
import { CallFailed } from './call-failure.ts'
import { createEventOutlet } from './links.ts'
import type { LogReader, Page } from './log.ts'
import { type ReadRequest, unknownPosition } from './read-request.ts'
import type { ReadAnswer } from './read-service.ts'
import { firstRevision, lastRevision, streamNotFound } from './responses.ts'
import type { StreamView } from './stream-view.ts'

/** Answers a read of what the log holds now, page by page, no faster than the client takes it. */
export const readOnce = async (
  log: LogReader,
  request: ReadRequest,
  limit: number,
  to: Outlet<ReadAnswer>,
): Promise<void> => {
  const view = request.stream === undefined ? undefined : viewOf(log, request.stream)
  if (view === 'none') return to.write(streamNotFound(request.stream ?? ''))
  const pages = view ? pagesOfStream(log, request, view) : pagesOfAll(log, request)
  const write = createEventOutlet(log, request, to)
  if (view && request.wantsBounds) writeFirst(view, request, limit, to)
  let left = limit
  while (left > 0 && !to.closed.aborted) {
    const { rows, end } = pages(left)
    const passing = request.filter?.passing(rows)
    for (const [i, row] of rows.entries()) {
      if (left === 0 || passing?.[i] === false) continue
      write(row)
      left--
    }
    if (end) break
    await to.drained()
    await setImmediate()
  }
  if (view && request.wantsBounds) to.write(lastRevision(view.last))
}

/** Throws `CallFailed` where the stream is deleted for ever. */
export const viewOf = (log: LogReader, name: string): StreamView | 'none' => {
  const view = log.view(name)
  if (view === 'tombstoned') throw new CallFailed({ kind: 'StreamDeleted', stream: name })
  return view
}

/** Events that EventStoreDB reads at once. */
const window = 32

/** Says where to go on, as EventStoreDB does where nothing is in the window that it reads first. */
const writeFirst = (
  { first, last }: StreamView,
  { direction, from }: ReadRequest,
  limit: number,
  to: Outlet<ReadAnswer>,
): void => {
  const start = from === 'start' ? 0 : from
  if (direction === 'backward' || start === 'end') return
  if (start > last + 1) to.write(firstRevision(last + 1))
  else if (first >= start + Math.min(window, limit)) to.write(firstRevision(Math.min(first, last + 1)))
}

type Pages = (limit: number) => Page

/** From a revision on, inclusive in both directions. */
const pagesOfStream = (log: LogReader, { direction, from }: ReadRequest, view: StreamView): Pages => {
  const start = from === 'start' ? 0 : from === 'end' ? view.last : from
  const read = (low: number, high: number, limit: number) => log.ofStream(view, direction, low, high, limit)
  return paged(direction === 'forward' ? [start, view.last] : [0, start], direction, 2, read)
}

/** Forward from a position on, inclusive; backward exclusive: a position counts as being before its event. */
const pagesOfAll = (log: LogReader, { direction, from, filter }: ReadRequest): Pages => {
  const head = log.head()
  if (direction === 'backward' && typeof from === 'number' && from > head + 1) throw unknownPosition()
  const start = from === 'start' ? 1 : from === 'end' ? head + 1 : from
  const read = (low: number, high: number, limit: number) =>
    log.ofAll(direction, low, high, filter ? Number.MAX_SAFE_INTEGER : limit)
  return paged(direction === 'forward' ? [start, head] : [1, start - 1], direction, 0, read)
}

const paged = (
  [low, high]: [low: number, high: number],
  direction: ReadRequest['direction'],
  column: 0 | 2,
  read: (low: number, high: number, limit: number) => Page,
): Pages => {
  let [from, to] = [low, high]
  return (limit) => {
    const page = read(from, to, limit)
    const last = page.rows.at(-1)
    if (last && direction === 'forward') from = last[column] + 1
    if (last && direction === 'backward') to = last[column] - 1
    return page
  }
}
