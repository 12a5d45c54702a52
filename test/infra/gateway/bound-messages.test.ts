import streams from '@eventstore/db-client/generated/streams_pb.js'
import { expect, it } from 'vitest'
import { boundMessages } from '#infra/gateway/bound-messages.ts'

/* Lengths here are a few bytes too large: the library itself notices these, once it has read behind the bytes. */

boundMessages()

const read =
  (...bytes: readonly number[]) =>
  () =>
    streams.AppendReq.deserializeBinary(Uint8Array.from(bytes))

it.each([
  ['a message', [0x0a, 5, 0x18, 0]],
  ['a message in a message', [0x0a, 2, 0x0a, 7]],
  ['an entry of a map', [0x12, 2, 0x12, 9]],
  ['a length without an end', [0x0a, 0x80]],
])('%s that is longer than the bytes is refused', (_, bytes) => {
  expect(read(...bytes)).toThrow(RangeError)
})

it('what is whole is read as before, also where it is made so twice', () => {
  boundMessages()
  const request = new streams.AppendReq()
  const message = new streams.AppendReq.ProposedMessage()
  message.getMetadataMap().set('type', 'Deposited').set('content-type', 'application/json')
  message.setData(Uint8Array.of(1, 2, 3))
  request.setProposedMessage(message)
  const again = streams.AppendReq.deserializeBinary(request.serializeBinary())
  expect(again.toObject()).toEqual(request.toObject())
})
