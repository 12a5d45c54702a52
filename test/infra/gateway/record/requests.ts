import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { type Names, written } from './names.ts'
import type { EventStep, Events, ExpectedStep, FilterStep, PartStep, ReadStep } from './record.ts'

/* The record's steps as messages. */

const uuid = (id: string): shared.UUID => new shared.UUID().setString(id)

const identifier = (name: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(written(name)))

/** Text of so many bytes that is JSON. */
const filler = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`

const eventsOf = (events: Events): readonly EventStep[] => {
  if (typeof events !== 'string')
    return events.map((event) => (typeof event === 'string' ? { id: event } : event))
  const [, count, bytes] = /^(\d+) events of (\d+) bytes$/.exec(events) ?? []
  return Array.from({ length: Number(count) }, (_, n) => ({ id: `f${n}`, bytes: Number(bytes) }))
}

export const lastOf = (events: Events): string | undefined => eventsOf(events).at(-1)?.id

type Proposed = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage

const proposed = <M extends Proposed>(create: () => M, events: Events, names: Names): M[] =>
  eventsOf(events).map(({ id, type = 'T', contentType = 'application/json', data = '{}', bytes, extra }) => {
    const message = create()
    message.setId(uuid(names.idOf(id)))
    message.setData(Buffer.from(bytes === undefined ? data : filler(bytes)))
    const headers: Readonly<Record<string, string>> = { type, 'content-type': contentType, ...extra }
    for (const [name, value] of Object.entries(headers)) message.getMetadataMap().set(name, value)
    return message
  })

type Options = streams.AppendReq.Options | streams.DeleteReq.Options | streams.TombstoneReq.Options

const expecting = <O extends Options>(options: O, stream: string, expected: ExpectedStep): O => {
  options.setStreamIdentifier(identifier(stream))
  if (expected === 'none') options.setNoStream(new shared.Empty())
  else if (expected === 'any') options.setAny(new shared.Empty())
  else if (expected === 'exists') options.setStreamExists(new shared.Empty())
  else options.setRevision(revisionText(expected))
  return options
}

const revisionText = (revision: ExpectedStep): string =>
  revision === '2^64-1' ? '18446744073709551615' : String(revision)

export const appendRequests = (
  stream: string,
  expected: ExpectedStep,
  events: Events,
  names: Names,
): streams.AppendReq[] => [
  new streams.AppendReq().setOptions(expecting(new streams.AppendReq.Options(), stream, expected)),
  ...proposed(() => new streams.AppendReq.ProposedMessage(), events, names).map((message) =>
    new streams.AppendReq().setProposedMessage(message),
  ),
]

export const deleteRequest = (stream: string, expected: ExpectedStep): streams.DeleteReq =>
  new streams.DeleteReq().setOptions(expecting(new streams.DeleteReq.Options(), stream, expected))

export const tombstoneRequest = (stream: string, expected: ExpectedStep): streams.TombstoneReq =>
  new streams.TombstoneReq().setOptions(expecting(new streams.TombstoneReq.Options(), stream, expected))

export const batchRequest = (
  { stream, expected, events, final }: PartStep,
  correlation: string,
  names: Names,
): streams.BatchAppendReq => {
  const request = new streams.BatchAppendReq().setCorrelationId(uuid(correlation)).setIsFinal(final !== false)
  request.setProposedMessagesList(proposed(() => new streams.BatchAppendReq.ProposedMessage(), events, names))
  if (stream === undefined || expected === undefined) return request
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(identifier(stream))
  if (expected === 'none') options.setNoStream(new empty.Empty())
  else if (expected === 'any') options.setAny(new empty.Empty())
  else if (expected === 'exists') options.setStreamExists(new empty.Empty())
  else options.setStreamPosition(revisionText(expected))
  return request.setOptions(options)
}

export const readRequest = (step: ReadStep, names: Names): streams.ReadReq => {
  const { stream, all, back = false, count = 1000, links = false, structured, compatibility, filter } = step
  const { ReadDirection, UUIDOption, ControlOption, SubscriptionOptions } = streams.ReadReq.Options
  const options = new streams.ReadReq.Options()
  options.setReadDirection(back ? ReadDirection.BACKWARDS : ReadDirection.FORWARDS)
  options.setResolveLinks(links)
  if (stream !== undefined) options.setStream(streamOptions(stream, step.from ?? 'start'))
  if (all !== undefined) options.setAll(allOptions(all, names))
  if (step.call === 'subscribe') options.setSubscription(new SubscriptionOptions())
  else options.setCount(String(count))
  if (filter) options.setFilter(filterOptions(filter))
  else options.setNoFilter(new shared.Empty())
  const ids = new UUIDOption()
  options.setUuidOption(
    structured ? ids.setStructured(new shared.Empty()) : ids.setString(new shared.Empty()),
  )
  if (compatibility !== undefined)
    options.setControlOption(new ControlOption().setCompatibility(compatibility))
  return new streams.ReadReq().setOptions(options)
}

const streamOptions = (stream: string, from: number | string) => {
  const options = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier(stream))
  if (from === 'start') return options.setStart(new shared.Empty())
  if (from === 'end') return options.setEnd(new shared.Empty())
  return options.setRevision(String(from))
}

const allOptions = (all: NonNullable<ReadStep['all']>, names: Names) => {
  const options = new streams.ReadReq.Options.AllOptions()
  if (all === 'start') return options.setStart(new shared.Empty())
  if (all === 'end') return options.setEnd(new shared.Empty())
  const [commit, prepare] = Array.isArray(all) ? all : [placeOf(String(all), names), undefined]
  return options.setPosition(
    new streams.ReadReq.Options.Position()
      .setCommitPosition(String(commit))
      .setPreparePosition(String(prepare ?? commit)),
  )
}

/** `P(e2)`, `after P(e2)` (a place behind it), or a number. */
const placeOf = (text: string, names: Names): string => {
  const [, after, name] = /^(after )?P\((.+)\)$/.exec(text) ?? []
  if (name === undefined) return text
  const position = names.positionOf(name)
  return after ? String(BigInt(position) + 1n) : position
}

const filterOptions = ({ stream_identifier, event_type, max, interval = 1 }: FilterStep) => {
  const options = new streams.ReadReq.Options.FilterOptions()
  const expression = ({ prefix = [], regex = '' }: NonNullable<FilterStep['event_type']>) =>
    new streams.ReadReq.Options.FilterOptions.Expression().setPrefixList([...prefix]).setRegex(regex)
  if (stream_identifier) options.setStreamIdentifier(expression(stream_identifier))
  if (event_type) options.setEventType(expression(event_type))
  if (max === undefined) options.setCount(new shared.Empty())
  else options.setMax(max)
  return options.setCheckpointintervalmultiplier(interval)
}
