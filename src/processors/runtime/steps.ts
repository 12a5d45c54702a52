import { UnavailableError } from '../../async/unavailable.ts'
import { readMessage } from '../../domain/kernel/cloud-event.ts'
import { type InvalidMessage, invalidMessage } from '../../domain/kernel/invalid-message.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import type { BrokerRecord, RecordBatch } from '../../ports/broker.ts'
import type { Outcome } from './execute.ts'
import { InvalidMessageError } from './invalid-message-error.ts'
import { defect } from './outcomes.ts'
import type { Processor, Route } from './processor.ts'
import type { StepResult } from './results.ts'
import type { Traced } from './tracing.ts'

interface Decoded {
  readonly record: BrokerRecord
  readonly message: Message
}

/** A record with its commands: finished when all of them are. */
interface Routed extends Decoded {
  readonly routes: readonly Route[]
  /** Results of the commands that are finished. */
  readonly results: StepResult[]
}

/** One command of a record. */
export interface Step {
  readonly of: Routed
  readonly route: Route
  /** Begun when it is first decided. */
  span?: Traced
  /** Known if it was decided in a batch. */
  outcome?: Outcome
}

/** A record that can never be routed. */
export interface InvalidRecord {
  readonly record: BrokerRecord
  readonly why: InvalidMessage
}

interface RoutedBatch {
  readonly routed: readonly Routed[]
  readonly invalid: readonly InvalidRecord[]
}

/** `log`: identity of the broker's log. */
export const decodeBatch = (
  batch: RecordBatch,
  topic: TopicSpec,
  log: string,
): { readonly decoded: readonly Decoded[]; readonly invalid: readonly InvalidRecord[] } => {
  const decoded: Decoded[] = []
  const invalid: InvalidRecord[] = []
  for (const record of batch.records) {
    const read = readMessage({ ...record, log }, topic)
    if (read._tag === 'Right') decoded.push({ record, message: read.right })
    else invalid.push({ record, why: read.left })
  }
  return { decoded, invalid }
}

/**
 * Routes all messages at once; if that fails, each half by itself, so that only the invalid message is left out. Throws
 * `UnavailableError`.
 */
export const routeBatch = async (
  route: Processor['route'],
  decoded: readonly Decoded[],
): Promise<RoutedBatch> => {
  if (decoded.length === 0) return { routed: [], invalid: [] }
  try {
    return await routeTogether(route, decoded)
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    if (decoded.length === 1)
      return { routed: [], invalid: [{ record: decoded[0]!.record, why: routingFailure(error) }] }
  }
  const middle = decoded.length >> 1
  const first = await routeBatch(route, decoded.slice(0, middle))
  const second = await routeBatch(route, decoded.slice(middle))
  return { routed: [...first.routed, ...second.routed], invalid: [...first.invalid, ...second.invalid] }
}

const routeTogether = async (
  route: Processor['route'],
  decoded: readonly Decoded[],
): Promise<RoutedBatch> => {
  const answer = await route(decoded.map(({ message }) => message))
  if (answer.length !== decoded.length)
    throw new Error(`${decoded.length} messages were planned as ${answer.length}`)
  const routed: Routed[] = []
  const invalid: InvalidRecord[] = []
  decoded.forEach(({ record, message }, i) => {
    const routes = answer[i]!
    const twice = namedTwice(routes)
    if (twice === undefined) routed.push({ record, message, routes, results: [] })
    else invalid.push({ record, why: defect(`it was planned as two commands on ${twice}`) })
  })
  return { routed, invalid }
}

/** A cause has its effect in a stream once: of two commands of one message the second would be lost. */
const namedTwice = (routes: readonly Route[]): string | undefined => {
  if (routes.length < 2) return undefined
  const seen = new Set<string>()
  return routes.find(({ stream }) => seen.size === seen.add(stream).size)?.stream
}

const routingFailure = (error: unknown): InvalidMessage =>
  error instanceof InvalidMessageError
    ? invalidMessage(error.reason, error.message, error.path)
    : defect(error)

/** Returns them in the order of the records. */
export const stepsOf = (routed: readonly Routed[]): readonly Step[] =>
  routed.flatMap((of) => of.routes.map((route): Step => ({ of, route })))

type StreamQueue = readonly [stream: string, steps: readonly Step[]]

/**
 * Groups steps by stream: order is kept in a stream, and streams run in parallel. Streams of records with few commands
 * come first, so that a record with thousands makes no other wait.
 */
export const streamQueues = (steps: readonly Step[]): readonly StreamQueue[] => {
  const least = (queue: StreamQueue) =>
    queue[1].reduce((n, { of }) => Math.min(n, of.routes.length), Number.POSITIVE_INFINITY)
  return [...Map.groupBy(steps, ({ route }) => route.stream)]
    .map((queue) => ({ queue, least: least(queue) }))
    .sort((one, other) => one.least - other.least)
    .map(({ queue }) => queue)
}
