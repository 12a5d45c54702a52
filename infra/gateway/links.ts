import { isDataText } from '../event-store/sqlite/encoding.ts'
import type { EventRow } from '../event-store/sqlite/event-row.ts'
import type { Outlet } from './answer-stream.ts'
import { eventMessage } from './event-message.ts'
import type { LogReader } from './log.ts'
import type { ReadRequest } from './read-request.ts'
import type { ReadAnswer } from './read-service.ts'

/** Events of this type lead to another one: their data are `revision@stream`. */
const linkType = '$>'

/** Writes events, and where the request resolves links, what they lead to beside them. */
export const createEventOutlet = (
  log: LogReader,
  { ids, resolvesLinks }: ReadRequest,
  to: Outlet<ReadAnswer>,
): ((row: EventRow) => void) => {
  if (!resolvesLinks) return (row) => to.write(eventMessage(row, ids))
  return (row) => {
    const target = targetOf(row)
    to.write(target ? eventMessage(eventAt(log, ...target), ids, row) : eventMessage(row, ids))
  }
}

/** Undefined where the event is no link, or leads nowhere that can be read from it. */
const targetOf = (row: EventRow): [stream: string, revision: number] | undefined => {
  const [, , , , type, , data, , encoding] = row
  if (type !== linkType) return undefined
  const text = isDataText(encoding) ? data : Buffer.from(data, 'base64').toString('utf8')
  const [, revision, stream] = /^(\d{1,15})@(.+)$/s.exec(text) ?? []
  return stream === undefined ? undefined : [stream, Number(revision)]
}

/** Undefined where it can no longer be read. */
const eventAt = (log: LogReader, stream: string, revision: number): EventRow | undefined => {
  const view = log.view(stream)
  return typeof view === 'string' ? undefined : log.ofStream(view, 'forward', revision, revision, 1).rows[0]
}
