import type { RecordedEvent } from '../../../src/domain/kernel/event.ts'
import type { StoredEvent } from '../../../src/domain/kernel/stored-event.ts'
import type { EventBytes } from '../../../src/ports/event-store.ts'
import {
  contentTypeOf,
  foreignTime,
  foreignValues,
  isDataText,
  isForeign,
  isMetadataText,
  storedColumn,
} from './encoding.ts'

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

/** Events of one transaction share their time: most conversions are the last one again. */
const createTimes = () => {
  let millis = -1
  let text = ''
  return (of: number): string => {
    if (of !== millis) {
      millis = of
      text = new Date(millis).toISOString()
    }
    return text
  }
}

export const createRowDecoder = (): ToEvent => {
  const timeOf = createTimes()
  return (row) => {
    const values = decoded(row, valuesOf)
    return {
      ...placeOf(row),
      recordedAt: values.recordedAt ?? timeOf(row[5]),
      data: values.data,
      metadata: values.metadata,
    }
  }
}

/** Decodes nothing but the original time in the metadata of other programs. The decoder throws `DamagedEvents`. */
export const createStoredDecoder = (): ((row: EventRow) => StoredEvent) => {
  const timeOf = createTimes()
  return (row) => {
    const [, , , , , recordedAt, , metadata, encoding] = row
    const original = isForeign(encoding) ? decoded(row, () => foreignTime(metadata, encoding)) : undefined
    return {
      ...placeOf(row),
      recordedAt: original ?? timeOf(recordedAt),
      ...storedBytes(row),
      isJson: contentTypeOf(encoding) === 'application/json',
    }
  }
}

export const storedBytes = ([, , , , , , data, metadata, encoding]: EventRow): EventBytes => ({
  data: storedColumn(data, isDataText(encoding)),
  metadata: storedColumn(metadata, isMetadataText(encoding)),
})

const placeOf = ([position, stream, revision, id, type]: EventRow) => ({
  stream,
  revision: BigInt(revision),
  position: BigInt(position),
  id,
  type,
})

const valuesOf = ([, , , , , , data, metadata, encoding]: EventRow): ReturnType<typeof foreignValues> =>
  encoding === 0
    ? { data: JSON.parse(data), metadata: JSON.parse(metadata), recordedAt: undefined }
    : foreignValues(data, metadata, encoding)

const decoded = <A>(row: EventRow, decode: (row: EventRow) => A): A => {
  try {
    return decode(row)
  } catch (error) {
    const [position, stream] = row
    throw new DamagedEvents(
      `the event at position ${position}, of stream ${stream}, cannot be read (${(error as Error).message})`,
    )
  }
}
