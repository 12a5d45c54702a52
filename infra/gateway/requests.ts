import type shared from '@eventstore/db-client/generated/shared_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import { clip } from '../../src/domain/kernel/clip.ts'
import type { Expected } from '../../src/ports/event-store.ts'
import type { ForeignEvent } from '../event-store/sqlite/encoding.ts'
import { textOf } from '../utf8.ts'
import { invalid } from './call-failure.ts'

/* Decodes parts of requests. Everything here throws `CallFailed`. */

/** Bytes. A stream may be named after a path of up to 4,096 characters of three bytes. */
const maxStreamName = 16 * 1024
const maxType = 1024

export const streamNameOf = (identifier: shared.StreamIdentifier | undefined): string => {
  if (!identifier) throw invalid('the stream is missing: give a stream identifier')
  const name = textOf(identifier.getStreamName_asU8())
  if (name === '') throw invalid('the stream name is empty')
  if (name === undefined) throw invalid('the stream name is not UTF-8')
  return checkedName('stream name', name, maxStreamName)
}

const checkedName = (what: string, name: string, longest: number): string => {
  if (Buffer.byteLength(name) > longest)
    throw invalid(`the ${what} has more than ${longest} bytes: "${clip(name, 40)}"`)
  if (name.includes('\0')) throw invalid(`the ${what} has a NUL character`)
  return name
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns the UUID in lower case. */
export const uuidOf = (uuid: shared.UUID | undefined, what: string): string => {
  const text = uuid?.hasStructured() ? fromHalves(uuid.getStructured()!) : uuid?.getString().toLowerCase()
  if (!text) throw invalid(`the ${what} is missing`)
  if (!uuidForm.test(text)) throw invalid(`the ${what} is not a UUID: "${clip(text, 60)}"`)
  return text
}

const fromHalves = (halves: shared.UUID.Structured): string => {
  const hex = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type ProposedMessage = Pick<
  streams.AppendReq.ProposedMessage,
  'getId' | 'getMetadataMap' | 'getData_asU8' | 'getCustomMetadata_asU8'
>

export const eventOf = (message: ProposedMessage): ForeignEvent => {
  const headers = message.getMetadataMap()
  const id = uuidOf(message.getId(), 'event id')
  const type = headers.get('type')
  if (!type) throw invalid(`event ${id} has no type`)
  const contentType = headers.get('content-type')
  if (!contentType) throw invalid(`event ${id} has no content type`)
  return {
    id,
    type: checkedName('event type', type, maxType),
    // Any content but JSON is stored as bytes.
    contentType: contentType === 'application/json' ? contentType : 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

interface ExpectedOptions {
  hasNoStream(): boolean
  hasAny(): boolean
  hasStreamExists(): boolean
}

/** -1 as an unsigned 64-bit number: older clients send it for "no stream". */
const olderNoStream = '18446744073709551615'

export const expectedOf = (options: ExpectedOptions, revision: string | undefined): Expected => {
  if (options.hasNoStream()) return 'none'
  if (options.hasAny()) return 'any'
  if (options.hasStreamExists()) return 'exists'
  if (revision === undefined) throw invalid('the expected revision is missing')
  return revision === olderNoStream ? 'none' : BigInt(revision)
}
