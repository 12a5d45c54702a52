import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure, Expected } from '../../src/ports/event-store.ts'
import type { Appender } from '../event-store/sqlite/append.ts'
import { type EncodedForeignEvent, encodeForeign, type ForeignEvent } from '../event-store/sqlite/encoding.ts'
import { isMetastream } from '../event-store/sqlite/stream-metadata.ts'
import { submitAppend } from '../event-store/sqlite/submit-append.ts'
import type { Database } from '../sqlite/database.ts'
import { CallFailed, invalid, stoppingSoon } from './call-failure.ts'

/** Bytes of data in one append, as EventStoreDB counts them: its default. */
const maxBytes = 1024 * 1024
/** Bytes of metadata, types and ids: a message may have as many, and an append many messages. */
const maxOtherBytes = 16 * 1024 * 1024
const bytesOfId = 36

export type RejectEvent = (
  stream: string,
  event: { readonly type: string; readonly data: unknown; readonly metadata: unknown },
) => string | undefined

/** Collects the events of one append. `add` throws once they are too large for one. */
export const createEventBuffer = () => {
  const events: ForeignEvent[] = []
  let bytes = 0
  let otherBytes = 0
  return {
    events,
    add: (event: ForeignEvent): void => {
      bytes += event.data.length
      if (bytes > maxBytes) throw new CallFailed({ kind: 'TooLarge', limit: maxBytes })
      otherBytes += event.metadata.length + 2 * event.type.length + bytesOfId
      if (otherBytes > maxOtherBytes)
        throw invalid(`metadata, types and ids of an append may have ${maxOtherBytes} bytes: split it`)
      events.push(event)
    },
  }
}

export type AppendEvents = (
  stream: string,
  expected: Expected,
  events: readonly ForeignEvent[],
  /** Asked right before anything is written, which is not done where it returns why. */
  hindrance?: () => CallFailed | undefined,
) => Promise<Appended>

/**
 * Appends in the next group commit; rejects with `CallFailed`. Nothing is written unless all events may be, and nothing once
 * `stopping` aborts.
 */
export const createAppend =
  (
    db: Database,
    appender: Appender,
    head: () => number,
    reject: RejectEvent,
    stopping: AbortSignal,
  ): AppendEvents =>
  async (stream, expected, events, hindrance = () => undefined) => {
    denySystemStreams(stream)
    const encoded = events.map(encodeForeign)
    for (const event of encoded) check(stream, event, reject)
    const append = () => {
      const failed = stopping.aborted ? stoppingSoon() : hindrance()
      if (failed) throw failed
      return appender.append(stream, expected, encoded)
    }
    const result = await submitAppend(db.commit, appender, stream, encoded, append)
    if (E.isLeft(result)) throw callFailureOf(result.left, expected)
    const { revision, position } = result.right
    return encoded.length === 0 ? { revision, position: BigInt(head()) } : { revision, position }
  }

const metastreams = /^(\$\$)+/

/** Names with `$` are the server's, except `$$x`, which takes the metadata of stream `x`. */
export const denySystemStreams = (stream: string, metastreamsToo = false): void => {
  const ruled = stream.replace(metastreams, '')
  if (!ruled.startsWith('$') && ruled !== '' && (ruled === stream || !metastreamsToo)) return
  throw invalid(`${stream} is a system stream: names that start with $ are the server's`)
}

const check = (stream: string, event: EncodedForeignEvent, reject: RejectEvent): void => {
  if (event.type === '$metadata' && !isMetastream(stream))
    throw invalid(`events of type $metadata describe a stream: append them to $$${stream}`)
  const reason = reject(checkedStream(stream), { type: event.type, ...event.values })
  if (reason !== undefined) throw invalid(reason)
}

/** Metadata are checked as events of their stream: who may not write the one may not write the other. */
const checkedStream = (stream: string): string => stream.replace(metastreams, '')

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
