import type { IncomingHttpHeaders } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { isLeft, isRight, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { v7 as uuid } from 'uuid'
import { sealedActor } from '../app/sealed-by.ts'
import type { System } from '../app/system.ts'
import { writeMessage } from '../domain/kernel/cloud-event.ts'
import { Text } from '../domain/kernel/codecs.ts'
import { type InvalidMessage, invalidMessage } from '../domain/kernel/invalid-message.ts'
import type { Message, TopicSpec } from '../domain/kernel/message.ts'
import type { BrokerFailure } from '../ports/broker-failure.ts'
import { away } from './http/errors.ts'
import { Place } from './http/parameters.ts'
import { problem, refuse } from './http/refuse.ts'
import { type Handled, json } from './http/route.ts'
import {
  type Defaults,
  type Line,
  type MessageBody,
  maxMessages,
  messageTypes,
  readMessages,
} from './message-bodies.ts'

const Accepted = t.type({
  line: t.number,
  id: Text,
  source: Text,
  type: Text,
  topic: Text,
  partition: t.number,
  offset: Place,
})
const Refused = t.intersection([
  t.type({ line: t.number, reason: Text, message: Text }),
  t.partial({ path: t.string }),
])

/** Invalid messages that an answer lists; all are counted. */
const maxListed = 100

export const Taken = t.type({
  accepted: t.array(Accepted),
  /** The first `maxListed` of them. */
  refused: t.array(Refused),
  refusedCount: t.number,
})

const defaultsOf = ({ clock }: System, { key, actor = 'fonds://http' }: Given): Defaults => ({
  time: clock.now(),
  source: actor,
  idOf: (line) => (key === undefined ? uuid() : `${key}/${line}`),
})

const asProblem = ({ reason, message, path }: InvalidMessage) =>
  problem(reason === 'too-large' ? 413 : 400, reason, message, path === undefined ? {} : { path })

interface Given {
  readonly headers: IncomingHttpHeaders
  readonly bytes: Uint8Array
  readonly key: string | undefined
  readonly partial: boolean
  /** Reference of who signed in: the source of all messages. Absent: nobody did. */
  readonly actor?: string
}

/** Puts the messages of a body on their topic: all or none, or with `partial` the valid ones. */
export const takeMessages = async (system: System, topic: TopicSpec, given: Given): Promise<Handled> => {
  const { headers, bytes, partial } = given
  const sealed = given.actor === undefined ? undefined : await sealedActor(system, given.actor)
  const body = ofActor(readMessages(topic, headers, bytes, defaultsOf(system, given)), given.actor, sealed)
  switch (body.kind) {
    case 'unknown-type':
      return refuse(
        415,
        'wrong-content-type',
        `content-type: is ${headers['content-type'] ?? 'missing'}; send one of ${Object.values(messageTypes).join(', ')}`,
        { path: 'content-type' },
      )
    case 'unreadable':
      return left(asProblem(body.invalid))
    case 'one':
      return isLeft(body.message)
        ? left(asProblem(body.message.left))
        : put(system, topic, [{ line: 1, message: body.message.right }], none, sealed !== undefined)
    case 'too-many':
      return refuse(
        413,
        'too-many-messages',
        `the body holds over ${maxMessages} messages; send as many at a time, in several requests`,
      )
    case 'several':
      return putLines(system, topic, body.lines, partial, sealed !== undefined)
  }
}

/** Messages of another source than who signed in cannot be used. */
const ofActor = (body: MessageBody, actor: string | undefined, source = actor): MessageBody => {
  if (actor === undefined || source === undefined) return body
  const own = E.chain((message: Message): Line['message'] =>
    message.source === actor ? E.right({ ...message, source }) : E.left(foreignSource(actor)(message)),
  )
  switch (body.kind) {
    case 'one':
      return { kind: 'one', message: own(body.message) }
    case 'several':
      return { kind: 'several', lines: mapLines(body.lines, own) }
    default:
      return body
  }
}

const foreignSource =
  (actor: string) =>
  ({ source }: Message): InvalidMessage =>
    invalidMessage(
      'wrong-shape',
      `source: is ${source}, and whoever signed in sends as ${actor}; leave it out, or give that`,
      'source',
    )

function* mapLines(
  lines: Iterable<Line>,
  change: (message: Line['message']) => Line['message'],
): Generator<Line> {
  for (const { line, message } of lines) yield { line, message: change(message) }
}

interface Good {
  readonly line: number
  readonly message: Message
}

/** The invalid messages: how many, and the first of them. */
interface InvalidLines {
  readonly listed: readonly (InvalidMessage & { readonly line: number })[]
  readonly count: number
}

const none: InvalidLines = { listed: [], count: 0 }

const sorted = (lines: Iterable<Line>) => {
  const good: Good[] = []
  const listed: (InvalidMessage & { readonly line: number })[] = []
  let count = 0
  for (const { line, message } of lines)
    if (isRight(message)) good.push({ line, message: message.right })
    else if (++count <= maxListed) listed.push({ line, ...message.left })
  return { good, refused: { listed, count } }
}

const putLines = (
  system: System,
  topic: TopicSpec,
  lines: Iterable<Line>,
  partial: boolean,
  sealedSource: boolean,
) => {
  const { good, refused } = sorted(lines)
  const all = good.length + refused.count
  if (all === 0) return refuse(400, 'no-messages', 'the body holds no message; send at least one')
  const [first] = refused.listed
  if (first && (!partial || good.length === 0))
    return refuse(
      400,
      'refused',
      `${refused.count} of ${all} messages cannot be used, so nothing was taken; the first is on line ${first.line}: ${first.message}`,
      { refused: refused.listed, refusedCount: refused.count },
    )
  return put(system, topic, good, refused, sealedSource)
}

const put = async (
  { broker }: System,
  topic: TopicSpec,
  good: readonly Good[],
  refused: InvalidLines,
  sealedSource: boolean,
): Promise<Handled> => {
  const placed = await broker.produce(
    good.map(({ message }) => ({ ...writeMessage({ ...message, foreign: true }, topic), sealedSource })),
  )()
  if (isLeft(placed)) return left(brokerProblem(placed.left))
  const accepted = good.map(({ line, message: { id, source, type } }, i) => ({
    line,
    id,
    source,
    type,
    ...placed.right[i],
  }))
  return json({ accepted, refused: refused.listed, refusedCount: refused.count }, { status: 202 })
}

const brokerProblem = (failure: BrokerFailure) => {
  switch (failure.kind) {
    case 'TooLarge':
      return problem(
        413,
        'too-large',
        `a message takes ${failure.bytes} bytes, topics take ${failure.limit}; nothing was taken`,
      )
    case 'UnknownTopic':
      return away(`${failure.topic} does not exist yet`)
    case 'Forbidden':
    case 'Unavailable':
      return away(failure.reason)
  }
}
