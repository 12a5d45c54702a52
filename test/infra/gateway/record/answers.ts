import type features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { status as codes, type ServiceError } from '@grpc/grpc-js'
import { type Names, shortened } from './names.ts'
import type { Came, Json } from './record.ts'

/* Messages in the record's form. Positions stay numbers, under `position` keys: they are named once all are known. */

const ok: Json = { code: 'OK', details: '', trailers: {} }
const ofTransport = new Set(['content-type', 'date', 'grpc-accept-encoding', 'accept-encoding'])

export const statusOf = (error: ServiceError | null): Json => {
  if (!error) return ok
  const sent = Object.entries(error.metadata.getMap()).filter(([name]) => !ofTransport.has(name))
  const trailers = Object.fromEntries(sent.map(([name, value]) => [name, shortened(String(value))]))
  return { code: codes[error.code], details: shortened(error.details), trailers }
}

interface Position {
  getCommitPosition(): string
  getPreparePosition(): string
}
const position = (at: Position | undefined): Json =>
  at && { commit_position: at.getCommitPosition(), prepare_position: at.getPreparePosition() }

const name = (identifier: shared.StreamIdentifier | undefined): string =>
  shortened(Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8'))
const named = (identifier: shared.StreamIdentifier | undefined): Json =>
  name(identifier) === '' ? {} : { stream_name: name(identifier) }

/** Without what is undefined. */
const given = (fields: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const emptyIf = (has: boolean): Json => (has ? {} : undefined)

interface Success {
  hasCurrentRevision(): boolean
  getCurrentRevision(): string
  hasNoStream(): boolean
  hasNoPosition(): boolean
  getPosition(): Position | undefined
}
const success = (done: Success): Json =>
  given({
    current_revision: done.hasCurrentRevision() ? done.getCurrentRevision() : undefined,
    no_stream: emptyIf(done.hasNoStream()),
    position: position(done.getPosition()),
    no_position: emptyIf(done.hasNoPosition()),
  })

export const appendAnswer = (response: streams.AppendResp): Json => {
  const done = response.getSuccess()
  if (done) return { success: success(done) }
  const wrong = response.getWrongExpectedVersion()
  if (!wrong) return {}
  return {
    wrong_expected_version: given({
      current_revision: wrong.hasCurrentRevision() ? wrong.getCurrentRevision() : undefined,
      current_no_stream: emptyIf(wrong.hasCurrentNoStream()),
      expected_revision: wrong.hasExpectedRevision() ? wrong.getExpectedRevision() : undefined,
      expected_any: emptyIf(wrong.hasExpectedAny()),
      expected_stream_exists: emptyIf(wrong.hasExpectedStreamExists()),
      expected_no_stream: emptyIf(wrong.hasExpectedNoStream()),
    }),
  }
}

/** `sent`: the correlation ids of the call. */
export const batchAnswer = (response: streams.BatchAppendResp, sent: readonly string[]): Json => {
  const id = response.getCorrelationId()?.getString() ?? ''
  const done = response.getSuccess()
  const error = response.getError()
  const details = error?.getDetails()
  const stream = name(response.getStreamIdentifier())
  const value = Buffer.from(details?.getValue_asU8() ?? [])
  const isAboutStream = details?.getTypeName().endsWith('.StreamDeleted') && value.includes(stream)
  return given({
    correlation_id: sent.includes(id) ? 'id' : `another: ${id}`,
    success: done && success(done),
    error: error && {
      code: codes[error.getCode()],
      message: error.getMessage(),
      details: {
        type_url: details?.getTypeUrl(),
        value: isAboutStream ? 'holds the name of the stream' : value.toString('base64'),
      },
    },
    stream_identifier: named(response.getStreamIdentifier()),
  })
}

export const deleteAnswer = (response: streams.DeleteResp | streams.TombstoneResp): Json =>
  given({ position: position(response.getPosition()) })

export const featuresAnswer = (response: features.SupportedMethods): Json => ({
  version: response.getEventStoreServerVersion(),
  methods: response
    .getMethodsList()
    .map((method) => {
      const called = `${method.getServiceName()}/${method.getMethodName()}`
      return [called, method.getFeaturesList().join(',')].filter(Boolean).join(' ')
    })
    .sort(),
})

export const readMessage = (response: streams.ReadResp, names: Names): Json => {
  const { ContentCase } = streams.ReadResp
  const read = response.getEvent()
  switch (response.getContentCase()) {
    case ContentCase.EVENT:
      return {
        event: given({
          event: read?.hasEvent() ? recorded(read.getEvent()!, names) : undefined,
          link: read?.hasLink() ? recorded(read.getLink()!, names) : undefined,
          position: read?.hasCommitPosition() ? read.getCommitPosition() : 'none',
        }),
      }
    case ContentCase.CONFIRMATION:
      return { confirmation: { subscription_id: 'id' } }
    case ContentCase.CHECKPOINT:
      return { checkpoint: position(response.getCheckpoint()) }
    case ContentCase.STREAM_NOT_FOUND:
      return {
        stream_not_found: { stream_identifier: named(response.getStreamNotFound()?.getStreamIdentifier()) },
      }
    case ContentCase.FIRST_STREAM_POSITION:
      return { first_stream_position: response.getFirstStreamPosition() }
    case ContentCase.LAST_STREAM_POSITION:
      return { last_stream_position: response.getLastStreamPosition() }
    case ContentCase.CAUGHT_UP:
      return { caught_up: {} }
    default:
      return { other: response.getContentCase() }
  }
}

const recorded = (event: streams.ReadResp.ReadEvent.RecordedEvent, names: Names): Json => {
  const data = Buffer.from(event.getData_asU8())
  const headers = Object.fromEntries(event.getMetadataMap().toArray() as [string, string][])
  const id = event.getId()?.getString()
  return {
    // The record knows ids that are written as text.
    id: id ? names.nameOf(id) : 'id',
    stream: name(event.getStreamIdentifier()),
    revision: event.getStreamRevision(),
    position: event.getCommitPosition(),
    prepareIsCommit: event.getPreparePosition() === event.getCommitPosition(),
    metadata: { ...headers, created: /^\d{17}$/.test(headers.created ?? '') ? 'ticks' : 'no ticks' },
    data: data.length >= 300 ? `${data.length} bytes` : data.toString('utf8'),
    custom: Buffer.from(event.getCustomMetadata_asU8()).toString('utf8'),
  }
}

/** As the record shortens what is long. */
export const abridged = (came: Came): Came => {
  const { messages } = came
  if (!messages || messages.length < 100) return came
  const [head, tail] = [messages.slice(0, 8), messages.slice(-8)]
  return { ...came, messages: [...head, `… ${messages.length - 16} more …`, ...tail] }
}
