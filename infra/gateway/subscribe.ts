import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createAutoResetEvent } from '../../src/async/auto-reset-event.ts'
import type { Database } from '../sqlite/database.ts'
import { CallFailed, stoppingSoon } from './call-failure.ts'
import { eventMessage } from './event-message.ts'
import type { LogReader, Page } from './log.ts'
import type { Outlet } from './outlet.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadAnswer } from './read-service.ts'
import { caughtUp, checkpointReached, confirmation } from './responses.ts'

/**
 * The events behind a position, then new ones, until `stopping`. Each page is read from the log once the client has taken
 * the one before, so nothing is buffered and a slow client loses nothing: it catches up.
 */
export const subscribe = async (
  db: Database,
  log: LogReader,
  request: ReadRequest,
  to: Outlet<ReadAnswer>,
  stopping: AbortSignal,
): Promise<void> => {
  const ended = AbortSignal.any([to.gone, stopping])
  const change = createAutoResetEvent()
  const stopListening = db.onChange(change.set)
  ended.addEventListener('abort', change.set)
  const { filter } = request
  const [column, next] = request.stream === undefined ? sourceOfAll(log) : sourceOfStream(log, request.stream)
  to.write(confirmation(randomUUID()))
  let after = startOf(log, request)
  let tested = 0
  let live = false
  try {
    while (!ended.aborted) {
      const { rows, end } = next(after)
      const passing = filter?.passing(rows)
      for (const [i, row] of rows.entries()) {
        after = row[column]
        if (passing?.[i] !== false) to.write(eventMessage(row, request.ids))
        if (filter && ++tested % filter.checkpointEvery === 0) to.write(checkpointReached(after))
      }
      if (end && !live) {
        live = true
        if (filter && after > 0) to.write(checkpointReached(after))
        to.write(caughtUp())
      }
      await to.drained()
      if (end && !ended.aborted) await change.wait()
      else await setImmediate()
    }
  } finally {
    stopListening()
  }
  if (stopping.aborted) throw stoppingSoon()
}

/** The revision or position behind which a subscription starts. */
const startOf = (log: LogReader, { stream, from }: ReadRequest): number => {
  if (from === 'start') return -1
  if (from !== 'end') return from
  if (stream === undefined) return log.head()
  const view = log.view(stream)
  return typeof view === 'string' ? -1 : view.last
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
    const view = log.view(name)
    if (view === 'tombstoned') throw new CallFailed({ kind: 'StreamDeleted', stream: name })
    if (view === 'none') return { rows: [], end: true }
    return log.ofStream(view, 'forward', after + 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  },
]
