import { contentTypeOf, isDataText, isForeign, isMetadataText } from '../event-store/sqlite/encoding.ts'
import type { EventRow } from '../event-store/sqlite/event-row.ts'
import { createProtobufWriter } from '../protobuf/writer.ts'
import { ticksOf } from './responses.ts'

/** How an event's id is written: as text, or as two numbers of 64 bits. */
export type IdForm = 'text' | 'halves'

const writer = createProtobufWriter()

/*
 * A `ReadResp` with an event, as bytes; the numbers are those of the message's fields. This is the hot path of reading a
 * log, so it makes no objects, and writes stored text as it is. `link` led to the event, if any: undefined where that is gone.
 */
export const eventMessage = (row: EventRow | undefined, form: IdForm, link?: EventRow): Buffer => {
  writer.message(1, () => {
    if (row) writer.message(1, () => writeEvent(row, form))
    if (link) writer.message(2, () => writeEvent(link, form))
    const at = link ?? row
    if (at) writer.number(3, at[0])
  })
  return writer.finish()
}

const writeEvent = (row: EventRow, form: IdForm): void => {
  const [position, stream, revision, id, type, recordedAt, data, metadata, encoding] = row
  writer.message(1, () => (form === 'text' ? writer.text(2, id) : writeHalves(id)))
  writer.message(2, () => writer.text(3, stream))
  writer.number(3, revision)
  writer.number(4, position)
  writer.number(5, position)
  writeHeader('type', type)
  writeHeader('created', ticksOf(recordedAt))
  writeHeader('content-type', contentTypeOf(encoding))
  if (!isForeign(encoding)) writer.text(7, withReservedNames(metadata))
  else if (isMetadataText(encoding)) writer.text(7, metadata)
  else if (metadata !== '') writer.bytes(7, Buffer.from(metadata, 'base64'))
  if (isDataText(encoding)) writer.text(8, data)
  else writer.bytes(8, Buffer.from(data, 'base64'))
}

const writeHeader = (name: string, value: string): void =>
  writer.message(6, () => {
    writer.text(1, name)
    writer.text(2, value)
  })

const writeHalves = (id: string): void => {
  const hex = Buffer.from(id.replaceAll('-', ''), 'hex')
  writer.message(1, () => {
    writer.integer(1, hex.readBigInt64BE(0))
    writer.integer(2, hex.readBigInt64BE(8))
  })
}

/** EventStoreDB's tools follow conversations by these names. */
const withReservedNames = (metadata: string): string => {
  const { correlationId, causationId } = JSON.parse(metadata)
  return `${metadata.slice(0, -1)},"$correlationId":${JSON.stringify(correlationId)},"$causationId":${JSON.stringify(causationId)}}`
}
