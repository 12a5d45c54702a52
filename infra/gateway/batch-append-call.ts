import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { Expected } from '../../src/ports/event-store.ts'
import { type AppendEvents, createEventBuffer } from './append.ts'
import { appendedAnswer, failedAnswer } from './batch-append-answers.ts'
import { type CallFailed, invalid, stoppingSoon, toServiceError } from './call-failure.ts'
import { createOutlet } from './outlet.ts'
import { eventOf, expectedOf, streamNameOf, uuidOf } from './requests.ts'

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

/** Appends that wait for their last chunk, and those being written: bounds of one call. */
const maxOpen = 64
const maxUnderWay = 128

interface OpenAppend {
  readonly stream: string
  readonly expected: Expected
  readonly gathered: ReturnType<typeof createEventBuffer>
}

/**
 * `Streams.BatchAppend`: many appends over one call, each in chunks under an id of its own, answered as they are done.
 * The deadline that clients send is a time of their clock, which need not be ours; waiting here is bounded anyway.
 */
export const batchAppendCall = async (
  append: AppendEvents,
  toCallFailed: (error: unknown) => CallFailed,
  call: BatchCall,
  stopping: AbortSignal,
): Promise<void> => {
  const open = new Map<string, OpenAppend | 'answered'>()
  const underWay = new Set<Promise<void>>()
  const to = createOutlet(call)

  const finish = async (id: string, { stream, expected, gathered }: OpenAppend): Promise<void> => {
    try {
      to.write(appendedAnswer(id, stream, await append(stream, expected, gathered.events)))
    } catch (error) {
      to.write(failedAnswer(id, stream, toCallFailed(error).failure))
    }
  }

  const take = (request: streams.BatchAppendReq): void => {
    const id = uuidOf(request.getCorrelationId(), 'correlation id')
    if (!open.has(id) && open.size >= maxOpen)
      throw invalid(`more than ${maxOpen} appends of one call wait for their last chunk`)
    const known = open.get(id)
    const current = known === 'answered' ? known : gather(id, known, request)
    open.set(id, current)
    if (!request.getIsFinal()) return
    open.delete(id)
    if (current === 'answered') return
    const done = finish(id, current).then(() => {
      underWay.delete(done)
    })
    underWay.add(done)
  }

  /** A chunk that cannot be used is answered at once; the later chunks of its append are skipped. */
  const gather = (
    id: string,
    known: OpenAppend | undefined,
    request: streams.BatchAppendReq,
  ): OpenAppend | 'answered' => {
    try {
      const current = known ?? opened(request)
      for (const message of request.getProposedMessagesList()) current.gathered.add(eventOf(message))
      return current
    } catch (error) {
      to.write(failedAnswer(id, known?.stream ?? nameIn(request), toCallFailed(error).failure))
      return 'answered'
    }
  }

  const stop = async () => {
    await Promise.all(underWay)
    if (!call.writableEnded) call.emit('error', toServiceError(stoppingSoon()))
  }
  stopping.addEventListener('abort', stop)
  try {
    // A failure must leave the call open: it is still to be sent on it.
    const requests: AsyncIterable<streams.BatchAppendReq> = call.iterator({ destroyOnReturn: false })
    for await (const request of requests) {
      take(request)
      if (underWay.size >= maxUnderWay) await Promise.race(underWay)
      await to.drained()
    }
    await Promise.all(underWay)
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}

const opened = (request: streams.BatchAppendReq): OpenAppend => {
  const options = request.getOptions()
  if (!options) throw invalid('the options are missing from the first chunk of an append')
  return {
    stream: streamNameOf(options.getStreamIdentifier()),
    expected: expectedOf(options, options.hasStreamPosition() ? options.getStreamPosition() : undefined),
    gathered: createEventBuffer(),
  }
}

/** For an answer to an append whose options cannot be used: clients expect a name in every answer. */
const nameIn = (request: streams.BatchAppendReq): string =>
  Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8')
