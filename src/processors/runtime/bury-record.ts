import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { clip } from '../../domain/kernel/clip.ts'
import {
  type DeadLetter,
  type DeadLetterEvent,
  type DeadLetterRejection,
  deadLetterStream,
  deadLetters,
} from '../../domain/kernel/dead-letter.ts'
import { Away } from '../../ports/away.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import { type AftermathDependencies, type Fault, keptId } from './aftermath.ts'
import type { Executed, ExecuteFailure } from './execute.ts'
import { textOrBytes } from './text-or-bytes.ts'

/**
 * Keeps a record that could not be used, once. Whatever is in the record, some form of it can be kept: a dead letter that
 * cannot be written would stop its partition for ever. Throws `Away`, and nothing else for reasons of the record.
 */
export const buryRecord = async (
  deps: AftermathDependencies,
  processor: string,
  record: BrokerRecord,
  fault: Fault,
): Promise<void> => {
  const { topic, partition } = record
  const offset = String(record.offset)
  const place = `${deps.broker.id}/${topic}/${partition}/${offset}`
  const message = clip(fault.message, longestMessage) || 'it could not be used'
  const kept = await firstThatFits(
    forms.map(({ content, note = '' }) => () => {
      const letter: Omit<DeadLetter, 'at'> = {
        processor,
        topic,
        partition,
        offset,
        ...content(record),
        reason: fault.reason,
        path: fault.path === undefined ? null : clip(fault.path, longestPath),
        message: message + note,
      }
      return deps.execute(deadLetters, {
        stream: deadLetterStream(keptId(processor, place)),
        command: { type: 'Bury', actor: processor, at: deps.clock.now(), letter },
        causationId: place,
        correlationId: place,
      })
    }),
  )
  if (isLeft(kept) && kept.left.kind === 'StreamDeleted') {
    deps.log.warn({ topic, partition, offset }, 'its dead letter was deleted for good; it is passed over')
    return
  }
  if (isLeft(kept)) throw new Away(`a dead letter could not be kept: ${JSON.stringify(kept.left)}`)
  if (kept.right.kind !== 'done') return
  deps.telemetry.count('dead_letters', { processor, reason: fault.reason })
  deps.log.warn({ topic, partition, offset, reason: fault.reason }, message)
}

const longestMessage = 2000
const longestPath = 200
const longestKey = 1000

type Buried = Either<ExecuteFailure, Executed<DeadLetterEvent, DeadLetterRejection>>

/** The next form is tried where one is too large, or cannot be written for whatever reason but that something is away. */
const firstThatFits = async (attempts: readonly (() => Promise<Buried>)[]): Promise<Buried> => {
  let kept: Buried = right({ kind: 'unchanged', position: -1n })
  for (const [i, attempt] of attempts.entries())
    try {
      kept = await attempt()
      if (!isLeft(kept) || kept.left.kind !== 'TooLarge') return kept
    } catch (error) {
      if (error instanceof Away || i === attempts.length - 1) throw error
    }
  return kept
}

type Content = Pick<DeadLetter, 'key' | 'headers' | 'value' | 'encoding' | 'raw'>

/** Text, to be read; only what is no text in base64. */
const asItCame = ({ key, headers, value, raw }: BrokerRecord): Content => ({
  key,
  headers,
  ...textOrBytes(value),
  ...(raw && { raw: { key: raw.key && base64(raw.key), headers: raw.headers.map(inBase64) } }),
})

/** Nothing of it as text; smaller, too, where text would be written in escapes. */
const asBytes = (record: BrokerRecord): Content => {
  const { key, headers } = record.raw ?? {
    key: record.key,
    headers: Object.entries(record.headers).map(([name, value]) => ({ name, value })),
  }
  return {
    key: keyToRead(record),
    headers: {},
    value: base64(record.value),
    encoding: 'base64',
    raw: { key: key === null ? null : base64(key), headers: headers.map(inBase64) },
  }
}

const placeAlone = (record: BrokerRecord): Content => ({
  key: keyToRead(record),
  headers: {},
  value: '',
  encoding: 'none',
})

/** From the best to the one that always fits. */
const forms: readonly { readonly content: (record: BrokerRecord) => Content; readonly note?: string }[] = [
  { content: asItCame },
  { content: asBytes },
  { content: placeAlone, note: '. It could not be kept here: its topic alone has it' },
]

const keyToRead = ({ key }: BrokerRecord): string | null => key && clip(key, longestKey)

const inBase64 = ({ name, value }: { readonly name: string; readonly value: string | Uint8Array }) => ({
  name: name.toWellFormed(),
  value: base64(value),
})

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64')
