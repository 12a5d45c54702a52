import { isLeft } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { v5 as uuidv5 } from 'uuid'
import { type DeadLetter, deadLetterStream, deadLetters } from '../../domain/kernel/dead-letter.ts'
import { causeOf, type Message } from '../../domain/kernel/message.ts'
import { type Refusal, refusalStream, refusals } from '../../domain/kernel/refusal.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { clip } from '../../domain/kernel/unusable.ts'
import { Away } from '../../ports/away.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Execute, ExecuteFailure } from './execute.ts'

/* What is kept of a message that had no effect: whole, when it could not be used; its outcome, when it was refused. */

export interface AftermathDependencies {
  readonly broker: { readonly id: string }
  readonly execute: Execute
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

/** Why a message cannot be used. */
export interface Fault {
  readonly reason: string
  readonly path?: string
  readonly message: string
}

export const defect = (error: unknown): Fault => {
  const text = error instanceof Error ? error.message : String(error)
  return {
    reason: 'defect',
    message: `handling it failed: ${clip(text.toWellFormed(), 1000)}; please report this, then retry it`,
  }
}

/** What a failure means for the message. Throws `Away` where it is not about the message. */
export const faultOf = (failure: ExecuteFailure): Fault => {
  switch (failure.kind) {
    case 'TooLarge':
      return {
        reason: 'too-large',
        message: `what it leads to takes ${failure.bytes} bytes, the log takes ${failure.limit}; split it`,
      }
    case 'StreamDeleted':
      return {
        reason: 'stream-deleted',
        message: `${failure.stream} was deleted for good and takes nothing more`,
      }
    case 'Contended':
      throw new Away(`${failure.stream}: other writers were faster ${failure.tries} times`)
    case 'Unavailable':
      throw new Away(failure.reason)
  }
}

const namespace = '0b1f5c0e-3c55-5b7e-8b54-6a8f2f6c1d42'

/** Keeps a record that could not be used, once. Throws `Away`. */
export const buryRecord = async (
  deps: AftermathDependencies,
  processor: string,
  record: BrokerRecord,
  fault: Fault,
): Promise<void> => {
  const { topic, partition } = record
  const offset = String(record.offset)
  const place = `${deps.broker.id}/${topic}/${partition}/${offset}`
  const keep = (content: Content, message: string) =>
    deps.execute(deadLetters, {
      stream: deadLetterStream(uuidv5(`${processor}\n${place}`, namespace)),
      command: {
        type: 'Bury',
        actor: processor,
        at: deps.clock.now(),
        letter: {
          processor,
          topic,
          partition,
          offset,
          ...content,
          reason: fault.reason,
          path: fault.path ?? null,
          message,
        },
      },
      causationId: place,
      correlationId: place,
    })
  let kept = await keep(contentOf(record), fault.message)
  if (isLeft(kept) && kept.left.kind === 'TooLarge')
    kept = await keep(
      emptied(record),
      `${fault.message}. It is too large to be kept here: its topic alone has it`,
    )
  if (isLeft(kept)) throw new Away(`a dead letter could not be kept: ${JSON.stringify(kept.left)}`)
  if (kept.right.kind !== 'done') return
  deps.telemetry.count('dead_letters', { processor, reason: fault.reason })
  deps.log.warn({ topic, partition, offset, reason: fault.reason }, fault.message)
}

type Content = Pick<DeadLetter, 'key' | 'headers' | 'value' | 'encoding'>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const contentOf = ({ key, headers, value }: BrokerRecord): Content => {
  if (typeof value === 'string') return { key, headers, value, encoding: 'text' }
  try {
    return { key, headers, value: utf8.decode(value), encoding: 'text' }
  } catch {
    return { key, headers, value: Buffer.from(value).toString('base64'), encoding: 'base64' }
  }
}

const emptied = ({ key }: BrokerRecord): Content => ({
  key: key && clip(key, 1000),
  headers: {},
  value: '',
  encoding: 'none',
})

/** Keeps the outcome of a message that the domain rejected, once for each stream that it was refused on. Throws `Away`. */
export const noteRefusal = async (
  deps: AftermathDependencies,
  processor: string,
  refused: { readonly record: BrokerRecord; readonly message: Message; readonly stream: string },
  { code, message: because, details }: Rejection,
): Promise<void> => {
  const { record, message, stream } = refused
  const cause = causeOf(message)
  const keep = (outcome: Pick<Refusal, 'because' | 'details'>) =>
    deps.execute(refusals, {
      stream: refusalStream(uuidv5(`${processor}\n${cause}\n${stream}`, namespace)),
      command: {
        type: 'Note',
        actor: processor,
        at: deps.clock.now(),
        refusal: {
          processor,
          topic: record.topic,
          message: message.id,
          source: message.source,
          type: message.type,
          stream,
          code,
          ...outcome,
        },
      },
      causationId: cause,
      correlationId: message.correlationId ?? message.id,
    })
  let noted = await keep({ because, ...(details && { details }) })
  // What was compared may be as long as a message.
  if (isLeft(noted) && noted.left.kind === 'TooLarge') noted = await keep({ because: clip(because, 1000) })
  if (isLeft(noted)) throw new Away(`a refusal could not be kept: ${JSON.stringify(noted.left)}`)
  if (noted.right.kind === 'done') deps.telemetry.count('failures', { processor, reason: code })
}
