import { isLeft, left } from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, Expected } from '../../src/ports/event-store.ts'
import { type appender, isKnownId } from '../event-store/sqlite/append.ts'
import { type EncodedForeignEvent, encodeForeign, type ForeignEvent } from '../event-store/sqlite/encoding.ts'
import { isMetastream, originalOf, rulesOf } from '../event-store/sqlite/stream-metadata.ts'
import type { Database } from '../sqlite/database.ts'
import { invalid, Refused } from './refused.ts'
import { bytesOf } from './requests.ts'

/** The server's default: bytes of one append. */
export const mostBytes = 1024 * 1024

export type Refuse = (
  stream: string,
  event: { readonly type: string; readonly data: unknown; readonly metadata: unknown },
) => string | undefined

/** The events of one append while they come in, never more of them than an append may hold. */
export const gathering = () => {
  const events: ForeignEvent[] = []
  let bytes = 0
  return {
    events,
    add: (event: ForeignEvent): void => {
      bytes += bytesOf(event)
      if (bytes > mostBytes) throw new Refused({ kind: 'TooLarge', limit: mostBytes })
      events.push(event)
    },
  }
}

export type AppendEvents = (
  stream: string,
  expected: Expected,
  events: readonly ForeignEvent[],
  /** Looked at right before anything is written. */
  wanted?: () => boolean,
) => Promise<Appended>

/** Appends in the next group commit; rejects with `Refused`. Nothing is written unless all events may be. */
export const appending =
  (db: Database, writer: ReturnType<typeof appender>, refuse: Refuse): AppendEvents =>
  async (stream, expected, events, wanted = () => true) => {
    denySystemStreams(stream)
    const encoded = events.map(encodeForeign)
    for (const event of encoded) check(stream, event, refuse)
    const result = await db.commit
      .submit(() => (wanted() ? writer.append(stream, expected, encoded) : left(abandoned)))
      .catch((error) => {
        if (!isKnownId(error)) throw error
        return db.commit.submit(() => writer.settleRepeat(stream, encoded))
      })
    if (isLeft(result)) throw refusalOf(result.left, expected)
    return result.right
  }

const abandoned = { kind: 'Unavailable', reason: 'the client left before it had said everything' } as const

/** `$…` belongs to the server; `$$x` takes the metadata of stream `x`. */
export const denySystemStreams = (stream: string, metastreamsToo = false): void => {
  const ordinary = !stream.startsWith('$')
  const metadata = isMetastream(stream) && stream.length > 2 && !originalOf(stream).startsWith('$')
  if (ordinary || (metadata && !metastreamsToo)) return
  throw new Refused({
    kind: 'AccessDenied',
    reason: `${stream} is a system stream: names that start with $ are the server's`,
  })
}

const check = (stream: string, event: EncodedForeignEvent, refuse: Refuse): void => {
  if (isMetastream(stream)) {
    if (event.type !== '$metadata')
      throw invalid(`${stream} takes the metadata of ${originalOf(stream)}, events of type $metadata, alone`)
    const rules = rulesOf(event.values.data)
    if (isLeft(rules)) throw invalid(`the metadata of ${originalOf(stream)} cannot be read: ${rules.left}`)
  } else if (event.type === '$metadata')
    throw invalid(`events of type $metadata rule over a stream: they belong into $$${stream}`)
  const reason = refuse(ruled(stream), { type: event.type, ...event.values })
  if (reason !== undefined) throw invalid(reason)
}

/** Who may not write a stream may not rule over it: metadata are asked about as events of the stream itself. */
const ruled = (stream: string): string => (isMetastream(stream) ? originalOf(stream) : stream)

export const refusalOf = (failure: AppendFailure, expected: Expected): Refused => {
  switch (failure.kind) {
    case 'Conflict':
      return new Refused({ ...failure, expected })
    case 'TooLarge':
      return new Refused({ kind: 'TooLarge', limit: failure.limit })
    default:
      return new Refused(failure)
  }
}
