import streams from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeForeign } from '../../../infra/event-store/sqlite/encoding.ts'
import { eventMessage } from '../../../infra/gateway/event-message.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 300 })
const bytes = fc.uint8Array({ maxLength: 20_000 })

it("EventStoreDB's own classes read what is written without them, whatever an event holds", () => {
  fc.assert(
    fc.property(
      fc.record({
        id: fc.uuid(),
        type: text,
        stream: text,
        revision: fc.maxSafeNat(),
        position: fc.maxSafeNat(),
        recordedAt: fc.integer({ min: 1, max: 2_147_483_647 }).map((n) => n * 4000),
        contentType: fc.constantFrom('application/json' as const, 'application/octet-stream' as const),
        data: fc.oneof(
          bytes,
          fc.json().map((json) => Buffer.from(json)),
        ),
        metadata: fc.oneof(
          bytes,
          fc.json().map((json) => Buffer.from(json)),
        ),
      }),
      (event) => {
        const { data, metadata, encoding } = encodeForeign(event)
        const { position, stream, revision, id, type, recordedAt } = event
        const message = eventMessage(
          [position, stream, revision, id, type, recordedAt, data, metadata, encoding],
          'text',
        )
        const read = streams.ReadResp.deserializeBinary(message).getEvent()
        const recorded = read?.getEvent()
        expect(read?.getCommitPosition()).toBe(String(position))
        expect(recorded?.getCommitPosition()).toBe(String(position))
        expect(recorded?.getPreparePosition()).toBe(String(position))
        expect(recorded?.getStreamRevision()).toBe(String(revision))
        expect(recorded?.getId()?.getString()).toBe(id)
        expect(Buffer.from(recorded?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(
          stream,
        )
        expect(Object.fromEntries(recorded?.getMetadataMap().toObject() ?? [])).toEqual({
          type,
          created: String(BigInt(recordedAt) * 10_000n),
          'content-type': event.contentType,
        })
        expect(Buffer.from(recorded?.getData_asU8() ?? []).equals(event.data)).toBe(true)
        expect(Buffer.from(recorded?.getCustomMetadata_asU8() ?? []).equals(event.metadata)).toBe(true)
      },
    ),
  )
})
