import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import type { StoredBytes } from '../../../../src/domain/kernel/stored-event.ts'
import type { Expected } from '../../../../src/ports/event-store.ts'
import { ProtobufReader } from '../../../protobuf/reader.ts'
import { createProtobufWriter } from '../../../protobuf/writer.ts'
import type { EncodedEvent } from '../event-coding.ts'

/*
 * The messages of `Streams.BatchAppend`; the numbers are those of their fields.
 */

/** An append, in one or several pieces, each within the limit of a call. */
export interface BatchRequest {
  /** A UUID that identifies the response. */
  readonly id: string
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly EncodedEvent[]
  /** Deadline of the server. */
  readonly patienceMillis: number
}

const maxPieceBytes = 3 * 1024 * 1024

const writer = createProtobufWriter()

export const encodeRequest = (request: BatchRequest): readonly Buffer[] => {
  const { id, events } = request
  const pieces: Buffer[] = []
  let next = 0
  do {
    const isFirst = next === 0
    writer.message(1, () => writer.text(2, id))
    if (isFirst) writeOptions(request)
    let size = 0
    for (; next < events.length && (size === 0 || size + events[next]!.bytes <= maxPieceBytes); next++) {
      writeEvent(events[next]!)
      size += events[next]!.bytes
    }
    if (next === events.length) writer.number(4, 1)
    pieces.push(writer.finish())
  } while (next < events.length)
  return pieces
}

const nothing = () => {}

const writeOptions = ({ stream, expected, patienceMillis }: BatchRequest): void =>
  writer.message(2, () => {
    writer.message(1, () => writer.text(3, stream))
    if (expected === 'none' || (typeof expected === 'bigint' && expected < 0n)) writer.message(3, nothing)
    else if (expected === 'any') writer.message(4, nothing)
    else if (expected === 'exists') writer.message(5, nothing)
    else writer.integer(2, expected)
    // The duration of the feature `deadline_duration`. Older servers expect a time of the sender's clock.
    writer.message(7, () => {
      writer.number(1, Math.floor(patienceMillis / 1000))
      writer.number(2, Math.round((patienceMillis % 1000) * 1e6))
    })
  })

const writeEvent = ({ id, type, data, metadata, isJson }: EncodedEvent): void =>
  writer.message(3, () => {
    writer.message(1, () => writer.text(2, id))
    writeHeader('type', type)
    writeHeader('content-type', isJson ? 'application/json' : 'application/octet-stream')
    writeBytes(3, metadata)
    writeBytes(4, data)
  })

const writeBytes = (field: number, value: StoredBytes): void =>
  typeof value === 'string' ? writer.text(field, value) : writer.bytes(field, value)

const writeHeader = (name: string, value: string): void =>
  writer.message(2, () => {
    writer.text(1, name)
    writer.text(2, value)
  })

/** The end of an append. */
export interface Written {
  /** -1n: an empty append to no stream. */
  readonly revision: bigint
  /** Undefined if the server does not report it. */
  readonly position: bigint | undefined
}

/** The reason of a failed append. */
export interface NotWritten {
  /**
   * Name of the detail message, for example `StreamDeleted`; `Empty` for failures that some servers describe only in
   * words.
   */
  readonly type: string
  readonly message: string
  /** For `WrongExpectedVersion`. */
  readonly actual?: bigint | 'no_stream'
  /** For `MaximumAppendSizeExceeded`. */
  readonly limit?: number
}

export interface BatchAnswer {
  readonly id: string
  readonly outcome: Written | NotWritten
}

export const decodeBatchAnswer = (bytes: Uint8Array): BatchAnswer => {
  const reader = new ProtobufReader(bytes)
  let id = ''
  let outcome: Written | NotWritten = { type: 'Empty', message: 'the answer has no outcome' }
  reader.each(undefined, (field, tag) => {
    if (field === 1) id = readId(reader)
    else if (field === 2) outcome = notWritten(reader.bytes())
    else if (field === 3) outcome = readWritten(reader)
    else reader.skip(tag)
  })
  return { id, outcome }
}

/** Reads the id as text; servers send two numbers of 64 bits, whatever form they received. */
const readId = (reader: ProtobufReader): string => {
  let id = ''
  reader.each(reader.end(), (field, tag) => {
    if (field === 1) id = readHalves(reader)
    else if (field === 2) id = reader.text()
    else reader.skip(tag)
  })
  return id
}

const readHalves = (reader: ProtobufReader): string => {
  const halves = [0n, 0n]
  reader.each(reader.end(), (field, tag) => {
    if (field <= 2) halves[field - 1] = reader.integer()
    else reader.skip(tag)
  })
  const hex = halves.map((half) => half.toString(16).padStart(16, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const readWritten = (reader: ProtobufReader): Written => {
  let revision = -1n
  let position: bigint | undefined
  reader.each(reader.end(), (field, tag) => {
    if (field === 1) revision = reader.integer()
    else if (field === 3)
      reader.each(reader.end(), (part, partTag) => {
        if (part === 1) position = reader.integer()
        else reader.skip(partTag)
      })
    else reader.skip(tag)
  })
  return { revision, position }
}

const notWritten = (bytes: Uint8Array): NotWritten => {
  const status = statuses.Status.deserializeBinary(bytes)
  const details = status.getDetails()
  const type = details?.getTypeName().split('.').at(-1) ?? 'Empty'
  const message = status.getMessage()
  const detail = details?.getValue_asU8() ?? new Uint8Array()
  if (type === 'WrongExpectedVersion') {
    const wrong = shared.WrongExpectedVersion.deserializeBinary(detail)
    const actual = wrong.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : 'no_stream'
    return { type, message, actual }
  }
  if (type === 'MaximumAppendSizeExceeded')
    return {
      type,
      message,
      limit: shared.MaximumAppendSizeExceeded.deserializeBinary(detail).getMaxappendsize(),
    }
  // Servers put the name of the message here, and the fault into the details.
  if (type === 'BadRequest')
    return { type, message: shared.BadRequest.deserializeBinary(detail).getMessage() || message }
  return { type, message }
}
