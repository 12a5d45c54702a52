import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../sqlite/database.ts'
import { eventMessage } from './event-message.ts'
import type { Log, Page } from './log.ts'
import type { Outlet } from './outlet.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadAnswer } from './read-service.ts'
import { Refused, stoppingSoon } from './refused.ts'
import { caughtUp, checkpoint, confirmation } from './responses.ts'

/**
 * Everything behind a place, then whatever comes, until `stopping`. Each page is read from the log once the client has
 * taken the last one, so nothing is buffered and a slow client loses nothing: it simply catches up.
 */
export const subscribe = async (
  db: Database,
  log: Log,
  request: ReadRequest,
  to: Outlet<ReadAnswer>,
  stopping: AbortSignal,
): Promise<void> => {
  const ended = AbortSignal.any([to.gone, stopping])
  const changes = listen(db, ended)
  const { filter } = request
  const [column, next] = request.stream === undefined ? sourceOfAll(log) : sourceOfStream(log, request.stream)
  to.write(confirmation(randomUUID()))
  let after = startOf(log, request)
  let considered = 0
  let live = false
  try {
    while (!ended.aborted) {
      changes.seen()
      const { rows, end } = next(after)
      const passing = filter?.passing(rows)
      for (const [i, row] of rows.entries()) {
        after = row[column]
        if (passing?.[i] !== false) to.write(eventMessage(row, request.ids))
        if (filter && ++considered % filter.checkpointEvery === 0) to.write(checkpoint(after))
      }
      if (end && !live) {
        live = true
        if (filter && after > 0) to.write(checkpoint(after))
        to.write(caughtUp())
      }
      await to.drained()
      if (end) await changes.next()
      else await setImmediate()
    }
  } finally {
    changes.stop()
  }
  if (stopping.aborted) throw stoppingSoon()
}

/** The place behind which a subscription starts. */
const startOf = (log: Log, { stream, from }: ReadRequest): number => {
  if (from === 'start') return -1
  if (from !== 'end') return from
  if (stream === undefined) return log.head()
  const view = log.view(stream)
  return typeof view === 'string' ? -1 : view.last
}

/** A row's place, and the page behind a place. */
type Source = [column: 0 | 2, next: (after: number) => Page]

const sourceOfAll = (log: Log): Source => [
  0,
  (after) => log.ofAll('forward', after + 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
]

const sourceOfStream = (log: Log, name: string): Source => [
  2,
  (after) => {
    const view = log.view(name)
    if (view === 'tombstoned') throw new Refused({ kind: 'StreamDeleted', stream: name })
    if (view === 'none') return { rows: [], end: true }
    return log.ofStream(view, 'forward', after + 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  },
]

/** Waits for commits that came after the last look. */
const listen = (db: Database, ended: AbortSignal) => {
  let changed = false
  let wake = () => {}
  const change = () => {
    changed = true
    wake()
  }
  const stop = db.onChange(change)
  ended.addEventListener('abort', change)
  return {
    seen: () => {
      changed = false
    },
    next: async () => {
      if (changed || ended.aborted) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    },
    stop,
  }
}
