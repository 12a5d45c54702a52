import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import { foreignValues } from './encoding.ts'

/** A row of `events`, with its stream's name. */
export type EventRow = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  recordedAt: number,
  data: string,
  metadata: string,
  encoding: number,
]

/** Stored events are missing, or cannot be decoded. */
export class DamagedEvents extends Error {
  override readonly name = 'DamagedEvents'
}

/** Throws `DamagedEvents`. */
export type ToEvent = (row: EventRow) => RecordedEvent

export const createRowDecoder = (): ToEvent => {
  // Events of one transaction share their time: most conversions are the last one again.
  let millis = -1
  let text = ''
  return (row) => {
    if (row[5] !== millis) {
      millis = row[5]
      text = new Date(millis).toISOString()
    }
    const values = valuesOf(row)
    return {
      stream: row[1],
      revision: BigInt(row[2]),
      position: BigInt(row[0]),
      id: row[3],
      type: row[4],
      recordedAt: values.recordedAt ?? text,
      data: values.data,
      metadata: values.metadata,
    }
  }
}

const valuesOf = (row: EventRow): ReturnType<typeof foreignValues> => {
  const [position, stream, , , , , data, metadata, encoding] = row
  try {
    return encoding === 0
      ? { data: JSON.parse(data), metadata: JSON.parse(metadata), recordedAt: undefined }
      : foreignValues(data, metadata, encoding)
  } catch (error) {
    throw new DamagedEvents(
      `the event at position ${position}, of stream ${stream}, cannot be read (${(error as Error).message})`,
    )
  }
}
