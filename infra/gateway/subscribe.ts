import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createAutoResetEvent } from '../../src/async/auto-reset-event.ts'
import type { Database } from '../sqlite/database.ts'
import type { Outlet } from './answer-stream.ts'
import { createEventOutlet } from './links.ts'
import type { LogReader, Page } from './log.ts'
import { viewOf } from './read.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadAnswer } from './read-service.ts'
import { caughtUp, checkpointReached, confirmation } from './responses.ts'

/**
 * The events behind a position, then new ones, until the outlet's end. Each page is read from the log once the client has taken
 * the one before, so nothing is buffered and a slow client loses nothing: it catches up.
 */
export const subscribe = async (
  db: Database,
  log: LogReader,
  request: ReadRequest,
  to: Outlet<ReadAnswer>,
): Promise<void> => {
  const { filter } = request
  // A deleted stream is refused before anything is confirmed.
  let after = startOf(log, request)
  const [column, next] = request.stream === undefined ? sourceOfAll(log) : sourceOfStream(log, request.stream)
  const write = createEventOutlet(log, request, to)
  const change = createAutoResetEvent()
  const stopListening = db.onChange(change.set)
  to.closed.addEventListener('abort', change.set)
  to.write(confirmation(randomUUID()))
  let tested = 0
  let live = false
  try {
    while (!to.closed.aborted) {
      const { rows, end } = next(after)
      const passing = filter?.passing(rows)
      for (const [i, row] of rows.entries()) {
        after = row[column]
        if (passing?.[i] !== false) write(row)
        if (filter && ++tested % filter.checkpointEvery === 0) to.write(checkpointReached(after))
      }
      if (end && !live) to.write(caughtUp())
      live = end
      await to.drained()
      if (end && !to.closed.aborted) await change.wait()
      else await setImmediate()
    }
  } finally {
    stopListening()
  }
}

/** The revision or position behind which a subscription starts. Throws `CallFailed` where the stream is deleted for ever. */
const startOf = (log: LogReader, { stream, from }: ReadRequest): number => {
  const view = stream === undefined ? undefined : viewOf(log, stream)
  if (from === 'start') return -1
  if (from !== 'end') return from
  if (view === undefined) return log.head()
  return view === 'none' ? -1 : view.last
}

/** The column of a row that orders it (position or revision), and the page behind a value of that. */
type Source = [column: 0 | 2, next: (after: number) => Page]

const sourceOfAll = (log: LogReader): Source => [
  0,
  (after) => log.ofAll('forward', after + 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
]

const sourceOfStream = (log: LogReader, name: string): Source => [
  2,
  (after) => {
    const view = viewOf(log, name)
    if (view === 'none') return { rows: [], end: true }
    return log.ofStream(view, 'forward', after + 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  },
]
