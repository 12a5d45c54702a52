import streams from '@eventstore/db-client/generated/streams_pb.js'
import * as E from 'fp-ts/lib/Either.js'
import type { Expected } from '../../src/ports/event-store.ts'
import type { Appender } from '../event-store/sqlite/append.ts'
import { createMetadataEvent, deletionMetadata, metastreamOf } from '../event-store/sqlite/stream-metadata.ts'
import type { Database } from '../sqlite/database.ts'
import { callFailureOf, denySystemStreams, type RejectEvent } from './append.ts'
import { invalid } from './call-failure.ts'
import type { LogReader } from './log.ts'
import { expectedOf, streamNameOf } from './requests.ts'

type DeleteStream = (stream: string, expected: Expected, mode: 'soft' | 'tombstone') => Promise<bigint>

/**
 * Deletes a stream; resolves with the position behind which it is deleted. A soft deletion is a `$metadata` event,
 * as EventStoreDB writes it; a tombstone is not an event here. `reject` is asked of both as EventStoreDB records them.
 */
export const createDeleteStream =
  (db: Database, log: LogReader, writer: Appender, reject: RejectEvent): DeleteStream =>
  async (stream, expected, mode) => {
    denySystemStreams(stream, true)
    const type = mode === 'soft' ? '$metadata' : '$streamDeleted'
    const data = mode === 'soft' ? JSON.parse(deletionMetadata) : {}
    const reason = reject(stream, { type, data, metadata: undefined })
    if (reason !== undefined) throw invalid(reason)
    const result = await db.commit.submit(() => {
      const deleted = writer.deleteStream(stream, expected, mode)
      if (E.isLeft(deleted) || mode === 'tombstone') return deleted
      return writer.append(metastreamOf(stream), 'any', [createMetadataEvent(deletionMetadata)])
    })
    if (E.isLeft(result)) throw callFailureOf(result.left, expected)
    return result.right ? result.right.position : BigInt(log.head())
  }

export const deleteCall = async (
  deleteStream: DeleteStream,
  request: streams.DeleteReq,
): Promise<streams.DeleteResp> => {
  const deletedAt = new streams.DeleteResp.Position()
  await fill(deletedAt, deleteStream, request.getOptions(), 'soft')
  const response = new streams.DeleteResp()
  response.setPosition(deletedAt)
  return response
}

export const tombstoneCall = async (
  deleteStream: DeleteStream,
  request: streams.TombstoneReq,
): Promise<streams.TombstoneResp> => {
  const deletedAt = new streams.TombstoneResp.Position()
  await fill(deletedAt, deleteStream, request.getOptions(), 'tombstone')
  const response = new streams.TombstoneResp()
  response.setPosition(deletedAt)
  return response
}

const fill = async (
  deletedAt: streams.DeleteResp.Position | streams.TombstoneResp.Position,
  deleteStream: DeleteStream,
  options: streams.DeleteReq.Options | streams.TombstoneReq.Options | undefined,
  mode: 'soft' | 'tombstone',
): Promise<void> => {
  if (!options) throw invalid('the options are missing')
  const stream = streamNameOf(options.getStreamIdentifier())
  const expected = expectedOf(options, options.hasRevision() ? options.getRevision() : undefined)
  const position = await deleteStream(stream, expected, mode)
  deletedAt.setCommitPosition(position.toString())
  deletedAt.setPreparePosition(position.toString())
}
