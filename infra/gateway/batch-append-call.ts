import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import { createOutlet } from './answer-stream.ts'
import type { AppendEvents } from './append.ts'
import { type ChunkedAppend, createChunkGatherer } from './append-chunks.ts'
import { appendedAnswer, failedAnswer } from './batch-append-answers.ts'
import type { BatchRequest } from './batch-request.ts'
import { CallFailed } from './call-failure.ts'

type BatchCall = ServerDuplexStream<BatchRequest, streams.BatchAppendResp>

/** Appends of one call that may be under way at once. */
const maxUnderWay = 128

/** `Streams.BatchAppend`: many appends over one call, each in chunks under an id of its own, answered as they are done. */
export const batchAppendCall = async (
  append: AppendEvents,
  toCallFailed: (error: unknown) => CallFailed,
  call: BatchCall,
  stopping: AbortSignal,
): Promise<void> => {
  const underWay = new Set<Promise<void>>()
  const to = createOutlet(call, stopping)
  const answerFailure = (id: string, stream: string, error: unknown): void =>
    to.write(failedAnswer(id, stream, toCallFailed(error).failure))
  const completed = createChunkGatherer(answerFailure)

  const finish = async ({ id, stream, expected, gathered, isLate }: ChunkedAppend): Promise<void> => {
    const hindrance = (): CallFailed | undefined =>
      isLate() ? new CallFailed({ kind: 'DeadlineExceeded' }) : undefined
    try {
      to.write(appendedAnswer(id, stream, await append(stream, expected, gathered.events, hindrance)))
    } catch (error) {
      answerFailure(id, stream, error)
    }
  }

  const take = (request: BatchRequest): void => {
    const complete = completed(request)
    if (!complete) return
    const done = finish(complete).then(() => {
      underWay.delete(done)
    })
    underWay.add(done)
  }

  // An error must not close the call: its answer is still to be sent.
  const requests: AsyncIterable<BatchRequest> = call.iterator({ destroyOnReturn: false })
  for await (const request of requests) {
    take(request)
    if (underWay.size >= maxUnderWay) await Promise.race(underWay)
    await to.drained()
  }
  await Promise.all(underWay)
}
