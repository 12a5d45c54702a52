import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerReadableStream } from '@grpc/grpc-js'
import type { Appended } from '../../src/ports/event-store.ts'
import { type AppendEvents, createEventBuffer } from './append.ts'
import { CallFailed, type CallFailure, invalid } from './call-failure.ts'
import { eventOf, expectedOf, streamNameOf } from './requests.ts'

/**
 * `Streams.Append`: options first, then one message an event. A conflict is an answer, not an error. When a client
 * leaves in the middle, its call ends as if it were complete: `append` checks that it was not cancelled before it writes.
 */
export const appendCall = async (
  append: AppendEvents,
  call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
): Promise<streams.AppendResp> => {
  let options: streams.AppendReq.Options | undefined
  const gathered = createEventBuffer()
  for await (const request of call as AsyncIterable<streams.AppendReq>) {
    if (request.hasOptions()) {
      if (options) throw invalid('the options came twice')
      options = request.getOptions()
      continue
    }
    const message = request.getProposedMessage()
    if (!message) throw invalid('a message holds neither options nor an event')
    gathered.add(eventOf(message))
  }
  if (!options) throw invalid('the options are missing')
  const stream = streamNameOf(options.getStreamIdentifier())
  const expected = expectedOf(options, options.hasRevision() ? options.getRevision() : undefined)
  try {
    return success(
      await append(stream, expected, gathered.events, () => (call.cancelled ? abandoned() : undefined)),
    )
  } catch (error) {
    if (error instanceof CallFailed && error.failure.kind === 'Conflict') return conflict(error.failure)
    throw error
  }
}

const abandoned = (): CallFailed =>
  new CallFailed({ kind: 'Unavailable', reason: 'the client closed the call before its last message' })

const success = ({ revision, position }: Appended): streams.AppendResp => {
  const done = new streams.AppendResp.Success()
  if (revision < 0n) done.setNoStream(new shared.Empty())
  else done.setCurrentRevision(revision.toString())
  if (position < 0n) done.setNoPosition(new shared.Empty())
  else {
    const logPosition = new streams.AppendResp.Position()
    logPosition.setCommitPosition(position.toString())
    logPosition.setPreparePosition(position.toString())
    done.setPosition(logPosition)
  }
  const response = new streams.AppendResp()
  response.setSuccess(done)
  return response
}

const conflict = ({ expected, actual }: Extract<CallFailure, { kind: 'Conflict' }>): streams.AppendResp => {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (actual === 'none') wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(actual.toString())
  if (expected === 'none') wrong.setExpectedNoStream(new shared.Empty())
  else if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'exists') wrong.setExpectedStreamExists(new shared.Empty())
  else wrong.setExpectedRevision(expected.toString())
  const response = new streams.AppendResp()
  response.setWrongExpectedVersion(wrong)
  return response
}
