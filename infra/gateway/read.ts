import { setImmediate } from 'node:timers/promises'
import { CallFailed } from './call-failure.ts'
import { eventMessage } from './event-message.ts'
import type { LogReader, Page } from './log.ts'
import type { Outlet } from './outlet.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadAnswer } from './read-service.ts'
import { streamNotFound } from './responses.ts'

/** Answers a read of what the log holds now, page by page, no faster than the client takes it. */
export const readOnce = async (
  log: LogReader,
  request: ReadRequest,
  limit: number,
  to: Outlet<ReadAnswer>,
): Promise<void> => {
  const pages =
    request.stream === undefined ? pagesOfAll(log, request) : pagesOfStream(log, request, request.stream)
  if (!pages) return to.write(streamNotFound(request.stream ?? ''))
  let left = limit
  while (left > 0 && !to.gone.aborted) {
    const { rows, end } = pages(left)
    const passing = request.filter?.passing(rows)
    for (const [i, row] of rows.entries()) {
      if (left === 0 || passing?.[i] === false) continue
      to.write(eventMessage(row, request.ids))
      left--
    }
    if (end) return
    await to.drained()
    await setImmediate()
  }
}

type Pages = (limit: number) => Page

/** From a revision on, inclusive in both directions. */
const pagesOfStream = (log: LogReader, { direction, from }: ReadRequest, name: string): Pages | undefined => {
  const view = log.view(name)
  if (view === 'tombstoned') throw new CallFailed({ kind: 'StreamDeleted', stream: name })
  if (view === 'none') return undefined
  const start = from === 'start' ? 0 : from === 'end' ? view.last + (direction === 'forward' ? 1 : 0) : from
  const read = (low: number, high: number, limit: number) => log.ofStream(view, direction, low, high, limit)
  return paged(direction === 'forward' ? [start, view.last] : [0, start], direction, 2, read)
}

/** Forward from a position on, inclusive; backward exclusive: a position counts as being before its event. */
const pagesOfAll = (log: LogReader, { direction, from, filter }: ReadRequest): Pages => {
  const head = log.head()
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
