import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { UnavailableError, unavailable } from '../../async/unavailable.ts'
import { clip } from '../../domain/kernel/clip.ts'
import {
  type DeadLetter,
  type DeadLetterEvent,
  type DeadLetterRejection,
  deadLetterStream,
  deadLetters,
} from '../../domain/kernel/dead-letter.ts'
import { changeAttributes, changeLetter, letterTexts } from '../../domain/kernel/dead-letter-texts.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import { withoutReferences } from '../../domain/kernel/personal.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import type { Executed, ExecuteFailure } from './execute.ts'
import { markedAmong } from './message-marks.ts'
import { keptId, type OutcomeDependencies } from './outcomes.ts'
import { keepsByReference, type SealsMessages, sealedTexts } from './sealed-messages.ts'
import { textOrBytes } from './text-or-bytes.ts'

/**
 * Stores an invalid record as a dead letter, once. Some form of any record can be stored: a dead letter that cannot be
 * written would stop its partition for ever. Throws `UnavailableError`, and nothing because of the record.
 */
export const deadLetterRecord = async (
  deps: OutcomeDependencies & Partial<SealsMessages>,
  processor: string,
  record: BrokerRecord,
  invalid: InvalidMessage,
): Promise<void> => {
  const { topic, partition } = record
  const offset = String(record.offset)
  const place = `${deps.broker.id}/${topic}/${partition}/${offset}`
  const message = clip(invalid.message, maxMessage) || 'it could not be used'
  const kept = await firstThatFits(
    forms.map(({ content, note = '' }) => async () => {
      const given = content(record)
      const { sealed, because } = await byReference(deps, given, message + note, record)
      const letter: Omit<DeadLetter, 'at'> = {
        processor,
        topic,
        partition,
        offset,
        ...sealed,
        reason: invalid.reason,
        path: invalid.path === undefined ? null : clip(withoutReferences(invalid.path), maxPath),
        message: because,
      }
      return deps.execute(deadLetters, {
        stream: deadLetterStream(keptId(processor, place)),
        command: { type: 'DeadLetter', actor: processor, at: deps.clock.now(), letter },
        causationId: place,
        correlationId: place,
      })
    }),
  )
  if (isLeft(kept) && kept.left.kind === 'StreamDeleted') {
    deps.log.warn(
      { topic, partition, offset },
      'the dead letter of this message is deleted; skipping the message',
    )
    return
  }
  if (isLeft(kept)) throw unavailable(kept.left, 'cannot store a dead letter')
  if (kept.right.kind !== 'done') return
  deps.telemetry.count('dead_letters', { processor, reason: invalid.reason })
  deps.log.warn({ topic, partition, offset, reason: invalid.reason }, message)
}

/** The message with its reason, as the archive keeps it. */
const byReference = async (
  deps: Partial<SealsMessages>,
  whole: Content,
  message: string,
  record: BrokerRecord,
): Promise<{ readonly sealed: Content & Pick<DeadLetter, 'sealed'>; readonly because: string }> => {
  if (!keepsByReference(deps)) return { sealed: whole, because: message }
  const isMarked = (await markedAmong(deps, [record])).has(record)
  const given = isMarked ? whole : changeAttributes(whole, withoutReferences)
  const texts = [...new Set([...letterTexts(given), message])]
  const references = await sealedTexts(deps, texts)
  const referenceOf = new Map(texts.map((text, i) => [text, references[i]!]))
  return {
    sealed: { ...changeLetter(given, (text) => referenceOf.get(text)!), sealed: true },
    because: referenceOf.get(message)!,
  }
}

const maxMessage = 2000
const maxPath = 200
const maxKey = 1000

type Kept = Either<ExecuteFailure, Executed<DeadLetterEvent, DeadLetterRejection>>

/** Tries the next form if one is too large, or cannot be written although nothing is unavailable. */
const firstThatFits = async (attempts: readonly (() => Promise<Kept>)[]): Promise<Kept> => {
  let kept: Kept = right({ kind: 'unchanged', position: -1n })
  for (const [i, attempt] of attempts.entries())
    try {
      kept = await attempt()
      if (!isLeft(kept) || kept.left.kind !== 'TooLarge') return kept
    } catch (error) {
      if (error instanceof UnavailableError || i === attempts.length - 1) throw error
    }
  return kept
}

type Content = Pick<DeadLetter, 'key' | 'headers' | 'value' | 'encoding' | 'raw'>

/** As text, for people to read; in base64 if it is not text. */
const asItCame = ({ key, headers, value, raw }: BrokerRecord): Content => ({
  key,
  headers,
  ...textOrBytes(value),
  ...(raw && { raw: { key: raw.key && base64(raw.key), headers: raw.headers.map(inBase64) } }),
})

/** All in base64, which is also smaller if text would need escapes. */
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

/** From the most complete form to the one that always fits. */
const forms: readonly { readonly content: (record: BrokerRecord) => Content; readonly note?: string }[] = [
  { content: asItCame },
  { content: asBytes },
  { content: placeAlone, note: '. It cannot be stored here: only its topic has it' },
]

const keyToRead = ({ key }: BrokerRecord): string | null => key && clip(key, maxKey)

const inBase64 = ({ name, value }: { readonly name: string; readonly value: string | Uint8Array }) => ({
  name: name.toWellFormed(),
  value: base64(value),
})

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64')
