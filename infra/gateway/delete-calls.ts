import streams from '@eventstore/db-client/generated/streams_pb.js'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Expected } from '../../src/ports/event-store.ts'
import { type appender, metadataEvent } from '../event-store/sqlite/append.ts'
import { deletionMetadata, metastreamOf } from '../event-store/sqlite/stream-metadata.ts'
import type { Database } from '../sqlite/database.ts'
import { denySystemStreams, type Refuse, refusalOf } from './append.ts'
import type { Log } from './log.ts'
import { invalid } from './refused.ts'
import { expectedOf, streamNameOf } from './requests.ts'

export type DeleteStream = (stream: string, expected: Expected, mode: 'soft' | 'tombstone') => Promise<bigint>

/**
 * Deletes a stream and resolves with the position behind which it is deleted. A soft deletion is a `$metadata` event,
 * as EventStoreDB writes it; a tombstone is not an event here. `refuse` is asked of both as EventStoreDB records them.
 */
export const deleting =
  (db: Database, log: Log, writer: ReturnType<typeof appender>, refuse: Refuse): DeleteStream =>
  async (stream, expected, mode) => {
    denySystemStreams(stream, true)
    const type = mode === 'soft' ? '$metadata' : '$streamDeleted'
    const data = mode === 'soft' ? JSON.parse(deletionMetadata) : {}
    const reason = refuse(stream, { type, data, metadata: undefined })
    if (reason !== undefined) throw invalid(reason)
    const result = await db.commit.submit(() => {
      const deleted = writer.deleteStream(stream, expected, mode)
      if (isLeft(deleted) || mode === 'tombstone') return deleted
      return writer.append(metastreamOf(stream), 'any', [metadataEvent(deletionMetadata)])
    })
    if (isLeft(result)) throw refusalOf(result.left, expected)
    return result.right ? result.right.position : BigInt(log.head())
  }

export const deleteCall = async (
  deleteStream: DeleteStream,
  request: streams.DeleteReq,
): Promise<streams.DeleteResp> => {
  const place = new streams.DeleteResp.Position()
  await fill(place, deleteStream, request.getOptions(), 'soft')
  const response = new streams.DeleteResp()
  response.setPosition(place)
  return response
}

export const tombstoneCall = async (
  deleteStream: DeleteStream,
  request: streams.TombstoneReq,
): Promise<streams.TombstoneResp> => {
  const place = new streams.TombstoneResp.Position()
  await fill(place, deleteStream, request.getOptions(), 'tombstone')
  const response = new streams.TombstoneResp()
  response.setPosition(place)
  return response
}

const fill = async (
  place: streams.DeleteResp.Position | streams.TombstoneResp.Position,
  deleteStream: DeleteStream,
  options: streams.DeleteReq.Options | streams.TombstoneReq.Options | undefined,
  mode: 'soft' | 'tombstone',
): Promise<void> => {
  if (!options) throw invalid('the options are missing')
  const stream = streamNameOf(options.getStreamIdentifier())
  const expected = expectedOf(options, options.hasRevision() ? options.getRevision() : undefined)
  const position = await deleteStream(stream, expected, mode)
  place.setCommitPosition(position.toString())
  place.setPreparePosition(position.toString())
}
