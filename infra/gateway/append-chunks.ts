import type { Expected } from '../../src/ports/event-store.ts'
import { createEventBuffer } from './append.ts'
import type { BatchRequest } from './batch-request.ts'
import { invalid } from './call-failure.ts'
import { eventOf, expectedOf, streamNameOf, uuidOf } from './requests.ts'

/** Appends of one call that may wait for their last chunk. */
const maxOpen = 64

export interface ChunkedAppend {
  readonly id: string
  readonly stream: string
  readonly expected: Expected
  readonly gathered: ReturnType<typeof createEventBuffer>
  /** The sender no longer waits for an answer. */
  isLate(): boolean
}

/**
 * Puts appends together from their chunks: takes a chunk, and returns its append once that is complete. `reject` is called
 * for a chunk that cannot be used; the later chunks of its append are skipped. Throws `CallFailed` where a chunk has no id,
 * or too many appends are open.
 */
export const createChunkGatherer = (reject: (id: string, stream: string, error: unknown) => void) => {
  const open = new Map<string, ChunkedAppend | 'rejected'>()

  const gather = (id: string, request: BatchRequest): ChunkedAppend | 'rejected' => {
    const known = open.get(id)
    if (known === 'rejected') return known
    try {
      const append = known ?? begin(id, request)
      for (const message of request.chunk.getProposedMessagesList()) append.gathered.add(eventOf(message))
      return append
    } catch (error) {
      reject(id, known?.stream ?? nameIn(request), error)
      return 'rejected'
    }
  }

  return (request: BatchRequest): ChunkedAppend | undefined => {
    const id = uuidOf(request.chunk.getCorrelationId(), 'correlation id')
    if (!open.has(id) && open.size >= maxOpen)
      throw invalid(`more than ${maxOpen} appends of one call wait for their last chunk`)
    const append = gather(id, request)
    if (!request.chunk.getIsFinal()) {
      open.set(id, append)
      return undefined
    }
    open.delete(id)
    return append === 'rejected' ? undefined : append
  }
}

const begin = (id: string, { chunk, patience }: BatchRequest): ChunkedAppend => {
  const options = chunk.getOptions()
  if (!options) throw invalid('the options are missing from the first chunk of an append')
  return {
    id,
    stream: streamNameOf(options.getStreamIdentifier()),
    expected: expectedOf(options, options.hasStreamPosition() ? options.getStreamPosition() : undefined),
    gathered: createEventBuffer(),
    isLate: lateness(options.getDeadline()?.toDate(), patience),
  }
}

/** `deadline` is by the sender's clock, as EventStoreDB takes it, too; `patience` milliseconds are by ours. */
const lateness = (deadline: Date | undefined, patience: number | undefined): (() => boolean) => {
  if (patience !== undefined) {
    const end = performance.now() + patience
    return () => performance.now() >= end
  }
  return () => deadline !== undefined && Date.now() >= deadline.getTime()
}

/** For an answer to an append whose options cannot be used: clients expect a name in every answer. */
const nameIn = ({ chunk }: BatchRequest): string =>
  Buffer.from(chunk.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8')
