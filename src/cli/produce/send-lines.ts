import { isLeft } from 'fp-ts/lib/Either.js'
import { v5 as uuidv5 } from 'uuid'
import { UnavailableError } from '../../async/unavailable.ts'
import { fromLine, writeMessage } from '../../domain/kernel/cloud-event.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import { maxValueBytes, parseJson } from '../../domain/kernel/json-text.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import type { Broker, ProducerRecord, RecordPlace } from '../../ports/broker.ts'
import { isBlank, type Line, lineTooLarge, readLines } from './read-lines.ts'

interface SendOptions {
  readonly topic: TopicSpec
  /** Absent: the lines are only checked. */
  readonly broker?: Broker
  readonly source: string
  /** Ids of lines without one are made from it, the source, the topic, the line's number and its text. */
  readonly batch: string
  readonly now: () => string
  readonly signal: AbortSignal
  readonly onInvalid: (line: number, why: InvalidMessage) => void
  /** The bytes of an invalid line as they came, then `end`. */
  readonly onInvalidBytes: (bytes: Uint8Array | 'end') => void
  readonly onAccepted: (lines: number) => void
  /** Where each message went. */
  readonly onSent?: (message: MessageName, place: RecordPlace) => void
  readonly onBytes: (bytes: number) => void
}

type MessageName = Pick<Message, 'id' | 'source'>

interface Ready {
  readonly number: number
  readonly bytes: Buffer
  readonly name: MessageName
  readonly record: ProducerRecord
}

const batchSize = 500
/** UUIDv5 namespace of the ids made here. */
const namespace = '6a3de0a4-19c6-5c7e-9b0f-8d0b6e1f2c35'

/**
 * Produces lines on a topic, in batches of some hundred: the next batch is read while the last one becomes durable.
 * Memory stays flat. Throws `UnavailableError` when the broker is away; messages accepted before are kept.
 */
export const sendLines = async (
  chunks: AsyncIterable<Uint8Array | string>,
  options: SendOptions,
): Promise<void> => {
  const { signal, onBytes } = options
  let ready: Ready[] = []
  let sending: Promise<void> = Promise.resolve()
  const flush = async () => {
    await sending
    sending = send(ready, options)
    // The next `await` gets the error: until then it is not unhandled.
    sending.catch(() => {})
    ready = []
  }
  for await (const lines of readLines(counted(chunks, signal, onBytes), maxValueBytes)) {
    // The rest may be half a line.
    if (signal.aborted) break
    for (const line of lines) {
      const message = readLine(line, options)
      if (!message) continue
      ready.push(message)
      if (ready.length >= batchSize) await flush()
    }
  }
  await flush()
  await sending
}

async function* counted(
  chunks: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array | string> {
  try {
    for await (const chunk of chunks) {
      yield chunk
      onBytes(chunk.length)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** The message of a line; undefined for an empty line and for an invalid one. */
const readLine = (line: Line, options: SendOptions): Ready | undefined => {
  const { topic, source, batch, now } = options
  switch (line.kind) {
    case 'part':
      options.onInvalidBytes(line.bytes)
      return undefined
    case 'too-long':
      options.onInvalidBytes('end')
      options.onInvalid(line.number, lineTooLarge(line.size, maxValueBytes))
      return undefined
    case 'line': {
      const { number, bytes } = line
      if (isBlank(bytes)) return undefined
      const json = parseJson(bytes)
      if (isLeft(json)) return refuse(line, json.left, options)
      const id = () => uuidv5(`${source}\n${topic.name}\n${batch}\n${number}\n${bytes.toString()}`, namespace)
      const message = fromLine(json.right, topic, { id: id(), source, time: now() })
      if (isLeft(message)) return refuse(line, message.left, options)
      const name = { id: message.right.id, source: message.right.source }
      return { number, bytes, name, record: writeMessage(message.right, topic) }
    }
  }
}

const refuse = (
  { number, bytes }: { readonly number: number; readonly bytes: Buffer },
  why: InvalidMessage,
  { onInvalid, onInvalidBytes }: SendOptions,
): undefined => {
  onInvalidBytes(bytes)
  onInvalidBytes('end')
  onInvalid(number, why)
}

const send = async (lines: readonly Ready[], options: SendOptions): Promise<void> => {
  if (lines.length === 0) return
  if (!options.broker) return options.onAccepted(lines.length)
  const placed = await options.broker.produce(lines.map(({ record }) => record))()
  if (!isLeft(placed)) {
    for (const [i, { name }] of lines.entries()) options.onSent?.(name, placed.right[i]!)
    return options.onAccepted(lines.length)
  }
  const failure = placed.left
  switch (failure.kind) {
    case 'TooLarge':
      // A batch is taken whole or not at all. One by one, the message at fault is found and the others are sent.
      if (lines.length > 1) for (const line of lines) await send([line], options)
      else refuse(lines[0]!, lineTooLarge(failure.bytes, failure.limit), options)
      return
    case 'UnknownTopic':
      throw new UnavailableError(`the broker does not know ${failure.topic}`)
    case 'Forbidden':
    case 'Unavailable':
      throw new UnavailableError(failure.reason)
  }
}
