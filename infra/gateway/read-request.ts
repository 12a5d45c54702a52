import streams from '@eventstore/db-client/generated/streams_pb.js'
import { invalid } from './call-failure.ts'
import type { IdForm } from './event-message.ts'
import { type Filter, filterOf } from './filter.ts'
import type { Direction } from './log.ts'
import { streamNameOf } from './requests.ts'

/** What `Streams.Read` may be asked. Links are not resolved: the embedded log has none. */
export interface ReadRequest {
  /** Undefined: the whole log. */
  readonly stream: string | undefined
  readonly direction: Direction
  /** A revision, or a position in the whole log. */
  readonly from: number | 'start' | 'end'
  readonly limit: number | 'subscription'
  readonly filter: Filter | undefined
  readonly ids: IdForm
}

export const readRequestOf = (request: streams.ReadReq): ReadRequest => {
  const options = request.getOptions()
  if (!options) throw invalid('the options are missing')
  const ofStream = options.getStream()
  const ofAll = options.getAll()
  if (!ofStream && !ofAll) throw invalid('say what to read: a stream or all')
  if (!options.hasSubscription() && !options.hasCount())
    throw invalid('say how much to read: a count or a subscription')
  if (!options.hasFilter() && !options.hasNoFilter() && ofAll)
    throw invalid('say what to read of the log: a filter or no filter')
  if (!options.hasUuidOption()) throw invalid('say how UUIDs are written: the uuid option is missing')
  const backward = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
  if (backward && options.hasSubscription()) throw invalid('a subscription goes forwards')
  const filter = options.getFilter()
  return {
    stream: ofStream && streamNameOf(ofStream.getStreamIdentifier()),
    direction: backward ? 'backward' : 'forward',
    from: ofStream ? revisionOf(ofStream) : positionOf(ofAll!),
    limit: options.hasSubscription() ? 'subscription' : numberOf(options.getCount()),
    filter: filter && ofAll ? filterOf(filter) : undefined,
    ids: options.getUuidOption()!.hasStructured() ? 'halves' : 'text',
  }
}

const revisionOf = (options: streams.ReadReq.Options.StreamOptions): ReadRequest['from'] => {
  if (options.hasStart()) return 'start'
  if (options.hasEnd()) return 'end'
  if (!options.hasRevision()) throw invalid('say from where to read: start, end or a revision')
  return numberOf(options.getRevision())
}

const positionOf = (options: streams.ReadReq.Options.AllOptions): ReadRequest['from'] => {
  if (options.hasStart()) return 'start'
  if (options.hasEnd()) return 'end'
  const position = options.getPosition()
  if (!position) throw invalid('say from where to read: start, end or a position')
  return numberOf(position.getCommitPosition())
}

/** No revision or position here exceeds 2^53: greater numbers are behind everything. */
const numberOf = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER - 1)
