import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServiceError } from '@grpc/grpc-js'
import type { Version } from '../../../../fixtures/eventstoredb-record.ts'
import { cameOf, errorOf, kindsOf } from './record.ts'

/*
 * The gateway counts positions, a server's are offsets of bytes. Here each is a thousand times the gateway's: the places
 * between are nobody's, as most offsets of a file are.
 */

const bytes = 1000n

/** Beyond the end of every log here; reading on from there is accepted. */
const beyond = 9_000_000_000_000n

const larger = (position: string): string => String(BigInt(position) * bytes)

interface Place {
  getCommitPosition(): string
  setCommitPosition(value: string): unknown
  setPreparePosition(value: string): unknown
}

const move = (place: Place | undefined, by: (position: string) => string): void => {
  const position = place?.getCommitPosition()
  if (!place || position === undefined) return
  place.setCommitPosition(by(position))
  place.setPreparePosition(by(position))
}

/** `start`, `end` or a position. */
export const placeOf = (all: streams.ReadReq.Options.AllOptions): string =>
  all.hasStart() ? 'start' : all.hasEnd() ? 'end' : (all.getPosition()?.getCommitPosition() ?? 'nowhere')

/** In the gateway's positions. */
export const asGatewayReads = (request: streams.ReadReq): streams.ReadReq => {
  const moved = streams.ReadReq.deserializeBinary(request.serializeBinary())
  move(moved.getOptions()?.getAll()?.getPosition(), (position) => String(BigInt(position) / bytes))
  return moved
}

/** In the server's positions. */
export const asServerTells = (answer: streams.ReadResp): streams.ReadResp => {
  const resolved = answer.getEvent()
  if (resolved?.hasCommitPosition()) resolved.setCommitPosition(larger(resolved.getCommitPosition()))
  for (const event of [resolved?.getEvent(), resolved?.getLink()]) move(event, larger)
  move(answer.getCheckpoint(), larger)
  return answer
}

export const asServerAppended = (answer: streams.AppendResp): streams.AppendResp => {
  move(answer.getSuccess()?.getPosition(), larger)
  return answer
}

interface Refusal {
  /** A subscription is confirmed before it is refused. */
  readonly confirmed: boolean
  readonly error: ServiceError
}

/** What a server says of a place that it never gave out; undefined where it reads from there. */
export const refusalOf = (version: Version, request: streams.ReadReq): Refusal | undefined => {
  const options = request.getOptions()
  const position = options?.getAll()?.getPosition()?.getCommitPosition()
  if (position === undefined) return undefined
  const place = BigInt(position)
  const isBack = options?.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
  if (place % bytes === 0n && place < beyond) return undefined
  const refused = (came: ReturnType<typeof cameOf>): Refusal => ({
    confirmed: kindsOf(came).includes('confirmation'),
    error: errorOf(came),
  })
  if (options?.hasSubscription())
    return place < beyond ? refused(cameOf(version, 'subscribe: everything', { all: 1 })) : undefined
  if (place < beyond) return refused(cameOf(version, 'read: everything', { all: 7 }))
  return isBack
    ? refused(cameOf(version, 'read: everything', { all: String(beyond), back: true }))
    : undefined
}
