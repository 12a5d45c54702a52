import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, Expected } from '../../src/ports/event-store.ts'
import type { Appender } from '../event-store/sqlite/append.ts'
import { type EncodedForeignEvent, encodeForeign, type ForeignEvent } from '../event-store/sqlite/encoding.ts'
import { isMetastream, originalOf, rulesOf } from '../event-store/sqlite/stream-metadata.ts'
import { submitAppend } from '../event-store/sqlite/submit-append.ts'
import type { Database } from '../sqlite/database.ts'
import { CallFailed, invalid } from './call-failure.ts'
import { bytesOf } from './requests.ts'

/** Bytes of one append: the default of EventStoreDB. */
const maxBytes = 1024 * 1024

export type RejectEvent = (
  stream: string,
  event: { readonly type: string; readonly data: unknown; readonly metadata: unknown },
) => string | undefined

/** Collects the events of one append. `add` throws once they are too large for one. */
export const createEventBuffer = () => {
  const events: ForeignEvent[] = []
  let bytes = 0
  return {
    events,
    add: (event: ForeignEvent): void => {
      bytes += bytesOf(event)
      if (bytes > maxBytes) throw new CallFailed({ kind: 'TooLarge', limit: maxBytes })
      events.push(event)
    },
  }
}

export type AppendEvents = (
  stream: string,
  expected: Expected,
  events: readonly ForeignEvent[],
  /** Called right before anything is written. */
  isWanted?: () => boolean,
) => Promise<Appended>

/** Appends in the next group commit; rejects with `CallFailed`. Nothing is written unless all events may be. */
export const createAppend =
  (db: Database, appender: Appender, reject: RejectEvent): AppendEvents =>
  async (stream, expected, events, isWanted = () => true) => {
    denySystemStreams(stream)
    const encoded = events.map(encodeForeign)
    for (const event of encoded) check(stream, event, reject)
    const append = () => (isWanted() ? appender.append(stream, expected, encoded) : E.left(abandoned))
    const result = await submitAppend(db.commit, appender, stream, encoded, append)
    if (E.isLeft(result)) throw callFailureOf(result.left, expected)
    return result.right
  }

const abandoned = { kind: 'Unavailable', reason: 'the client left before it had said everything' } as const

/** Names with `$` are the server's, except `$$x`, which takes the metadata of stream `x`. */
export const denySystemStreams = (stream: string, metastreamsToo = false): void => {
  const ordinary = !stream.startsWith('$')
  const metadata = isMetastream(stream) && stream.length > 2 && !originalOf(stream).startsWith('$')
  if (ordinary || (metadata && !metastreamsToo)) return
  throw new CallFailed({
    kind: 'AccessDenied',
    reason: `${stream} is a system stream: names that start with $ are the server's`,
  })
}

const check = (stream: string, event: EncodedForeignEvent, reject: RejectEvent): void => {
  if (isMetastream(stream)) {
    if (event.type !== '$metadata')
      throw invalid(`${stream} takes the metadata of ${originalOf(stream)}, events of type $metadata, alone`)
    const rules = rulesOf(event.values.data)
    if (E.isLeft(rules)) throw invalid(`the metadata of ${originalOf(stream)} cannot be read: ${rules.left}`)
  } else if (event.type === '$metadata')
    throw invalid(`events of type $metadata rule over a stream: they belong into $$${stream}`)
  const reason = reject(checkedStream(stream), { type: event.type, ...event.values })
  if (reason !== undefined) throw invalid(reason)
}

/** Metadata are checked as events of their stream: who may not write the one may not write the other. */
const checkedStream = (stream: string): string => (isMetastream(stream) ? originalOf(stream) : stream)

export const callFailureOf = (failure: AppendFailure, expected: Expected): CallFailed => {
  switch (failure.kind) {
    case 'Conflict':
      return new CallFailed({ ...failure, expected })
    case 'TooLarge':
      return new CallFailed({ kind: 'TooLarge', limit: failure.limit })
    case 'Refused':
      return invalid(failure.reason)
    default:
      return new CallFailed(failure)
  }
}
