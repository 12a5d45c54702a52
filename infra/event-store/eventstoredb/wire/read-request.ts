import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerFilter } from '../filter.ts'

const { ReadReq } = streams
const { Options } = ReadReq

export const readPath = '/event_store.client.streams.Streams/Read'

/** `start` and `end`, or a place: inclusive in a read, exclusive in a subscription. */
export type Place = 'start' | 'end' | bigint

export type Direction = 'forward' | 'backward'

/** A part of a stream, from a revision on. */
export const streamRequest = (name: string, from: Place, direction: Direction, maxCount: number): Buffer => {
  const identifier = new shared.StreamIdentifier()
  identifier.setStreamName(Buffer.from(name))
  const stream = new Options.StreamOptions()
  stream.setStreamIdentifier(identifier)
  if (from === 'start') stream.setStart(new shared.Empty())
  else if (from === 'end') stream.setEnd(new shared.Empty())
  else stream.setRevision(from.toString())
  const options = reading(direction, maxCount)
  options.setStream(stream)
  return bytesOf(options)
}

/** A part of the whole log, from a position on. */
export const allRequest = (from: Place, direction: Direction, maxCount: number): Buffer => {
  const options = reading(direction, maxCount)
  options.setAll(allFrom(from))
  return bytesOf(options)
}

/** The whole log behind a position, for ever. After each `window` of events that it looked at the server says how far it is. */
export const subscriptionRequest = (after: Place, filter: ServerFilter, window: number): Buffer => {
  const expression = new Options.FilterOptions.Expression()
  expression.setRegex(filter.regex)
  const passing = new Options.FilterOptions()
  if (filter.on === 'type') passing.setEventType(expression)
  else passing.setStreamIdentifier(expression)
  passing.setMax(window)
  passing.setCheckpointintervalmultiplier(1)
  const options = withTextIds()
  options.setAll(allFrom(after))
  options.setSubscription(new Options.SubscriptionOptions())
  options.setFilter(passing)
  return bytesOf(options)
}

const reading = (direction: Direction, maxCount: number): streams.ReadReq.Options => {
  const options = withTextIds()
  options.setReadDirection(direction === 'forward' ? 0 : 1)
  options.setCount(String(maxCount))
  options.setNoFilter(new shared.Empty())
  return options
}

const withTextIds = (): streams.ReadReq.Options => {
  const form = new Options.UUIDOption()
  form.setString(new shared.Empty())
  const options = new Options()
  options.setUuidOption(form)
  return options
}

const allFrom = (place: Place): streams.ReadReq.Options.AllOptions => {
  const all = new Options.AllOptions()
  if (place === 'start') all.setStart(new shared.Empty())
  else if (place === 'end') all.setEnd(new shared.Empty())
  else {
    const position = new Options.Position()
    position.setCommitPosition(place.toString())
    position.setPreparePosition(place.toString())
    all.setPosition(position)
  }
  return all
}

const bytesOf = (options: streams.ReadReq.Options): Buffer => {
  const request = new ReadReq()
  request.setOptions(options)
  return Buffer.from(request.serializeBinary())
}
