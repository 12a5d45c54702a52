import streams from '@eventstore/db-client/generated/streams_pb.js'
import { CallFailed, invalid, thrownByHandler } from './call-failure.ts'
import type { IdForm } from './event-message.ts'
import { type Filter, filterOf } from './filter.ts'
import type { Direction } from './log.ts'
import { streamNameOf } from './requests.ts'

/** A decoded request of `Streams.Read`. */
export interface ReadRequest {
  /** Undefined: the whole log. */
  readonly stream: string | undefined
  readonly direction: Direction
  /** A revision, or a position in the whole log. */
  readonly from: number | 'start' | 'end'
  readonly limit: number | 'subscription'
  readonly filter: Filter | undefined
  /** Links come with the event that they lead to. */
  readonly resolvesLinks: boolean
  readonly ids: IdForm
  /** The client understands messages about the first and last revision of a stream. */
  readonly wantsBounds: boolean
}

export const readRequestOf = (request: streams.ReadReq): ReadRequest => {
  const options = request.getOptions()
  if (!options) throw invalid('the options are missing')
  const ofStream = options.getStream()
  const ofAll = options.getAll()
  if (!ofStream && !ofAll) throw invalid('say what to read: a stream or all')
  if (ofStream?.getStreamIdentifier()?.getStreamName_asU8().length === 0) throw thrownByHandler()
  if (!options.hasSubscription() && !options.hasCount())
    throw invalid('say how much to read: a count or a subscription')
  if (!options.hasFilter() && !options.hasNoFilter() && ofAll)
    throw invalid('say what to read of the log: a filter or no filter')
  if (!options.hasUuidOption()) throw invalid('say how UUIDs are written: the uuid option is missing')
  const isSubscription = options.hasSubscription()
  const direction = directionOf(options)
  const filter = options.getFilter()
  const limit = isSubscription ? 'subscription' : numberOf(options.getCount())
  const from = ofStream ? revisionOf(ofStream) : positionOf(ofAll!, isSubscription)
  // EventStoreDB answers both in this way.
  if (ofStream && (limit === 0 || (limit !== 'subscription' && direction === 'forward' && from === 'end')))
    throw new CallFailed({ kind: 'Unknown', details: 'Unexpected ReadStreamResult: Error' })
  return {
    stream: ofStream && streamNameOf(ofStream.getStreamIdentifier()),
    direction,
    from,
    limit,
    filter: filter && ofAll ? filterOf(filter, isSubscription) : undefined,
    resolvesLinks: options.getResolveLinks(),
    ids: options.getUuidOption()!.hasStructured() ? 'halves' : 'text',
    wantsBounds: (options.getControlOption()?.getCompatibility() ?? 0) >= 1,
  }
}

const directionOf = (options: streams.ReadReq.Options): Direction => {
  if (options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS) return 'forward'
  if (!options.hasSubscription()) return 'backward'
  const what = options.hasStream() ? 'Stream' : 'All'
  const filter = options.hasFilter() ? 'Filter' : 'NoFilter'
  throw invalid(`The combination of (${what}, Subscription, Backwards, ${filter}) is invalid.`)
}

const revisionOf = (options: streams.ReadReq.Options.StreamOptions): ReadRequest['from'] => {
  if (options.hasStart()) return 'start'
  if (options.hasEnd()) return 'end'
  if (!options.hasRevision()) throw invalid('say from where to read: start, end or a revision')
  return numberOf(options.getRevision())
}

const positionOf = (
  options: streams.ReadReq.Options.AllOptions,
  isSubscription: boolean,
): ReadRequest['from'] => {
  if (options.hasStart()) return 'start'
  if (options.hasEnd()) return 'end'
  const position = options.getPosition()
  if (!position) throw invalid('say from where to read: start, end or a position')
  const [commit, prepare] = [BigInt(position.getCommitPosition()), BigInt(position.getPreparePosition())]
  if (commit === endPosition) return 'end'
  if (commit > greatestPosition || commit < prepare) throw thrownByHandler()
  // Every event here is committed where it was prepared.
  if (commit !== prepare) throw isSubscription ? thrownByHandler() : unknownPosition()
  return numberOf(commit.toString())
}

const endPosition = 2n ** 64n - 1n
const greatestPosition = 2n ** 63n - 1n

/** As EventStoreDB answers a read from a position that no event has. */
export const unknownPosition = (): CallFailed =>
  new CallFailed({ kind: 'Unknown', details: 'Unexpected ReadAllResult: Error' })

/** No revision or position here exceeds 2^53: greater numbers are behind everything. */
const numberOf = (text: string): number => Math.min(Number(text), Number.MAX_SAFE_INTEGER - 1)
