import { isLeft } from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { StreamAppend } from '../../../src/ports/event-store.ts'
import type { Written } from './submit-append.ts'

/** An event, and the characters of its data and metadata, about. */
export type SizedEvent = readonly [event: RecordedEvent, size: number]

const sizeOfMetadata = 400

/**
 * The events that appends have written, as a reader gets them, in the order of the log: all, or those before the first whose data may
 * read back differently. What was found again is not written, and EventStoreDB's own are not read.
 */
export const writtenEvents = (
  appends: readonly StreamAppend[],
  { answers, end }: Written,
): readonly SizedEvent[] => {
  const recordedAt = new Date(end.at).toISOString()
  const events: SizedEvent[] = []
  for (const [i, answer] of answers.entries()) {
    if (isLeft(answer) || answer.right.position <= BigInt(end.position)) continue
    const { stream, events: written } = appends[i]!
    let { revision, position } = answer.right
    revision -= BigInt(written.length)
    position -= BigInt(written.length)
    for (const { id, type, data, json, metadata } of written) {
      revision++
      position++
      if (stream.startsWith('$') || type.startsWith('$')) continue
      if (json === undefined) return events
      const event = { stream, revision, position, id, type, recordedAt, data, metadata }
      events.push([event, json.length + sizeOfMetadata])
    }
  }
  return events
}
