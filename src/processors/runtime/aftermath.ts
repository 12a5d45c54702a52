import { isLeft } from 'fp-ts/lib/Either.js'
import { v5 as uuidv5 } from 'uuid'
import { deadLetterStream, deadLetters } from '../../domain/kernel/dead-letter.ts'
import { causeOf, type Message } from '../../domain/kernel/message.ts'
import { refusalStream, refusals } from '../../domain/kernel/refusal.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { Away } from '../../ports/away.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import type { ProcessorDependencies } from './processor.ts'

/* What is kept of a message that had no effect: whole, when it could not be used; its outcome, when it was refused. */

const namespace = '0b1f5c0e-3c55-5b7e-8b54-6a8f2f6c1d42'

export interface Fault {
  readonly reason: string
  readonly path?: string
  readonly message: string
}

export const buryRecord = async (
  deps: ProcessorDependencies,
  processor: string,
  record: BrokerRecord,
  fault: Fault,
): Promise<void> => {
  const place = `${deps.broker.id}/${record.topic}/${record.partition}/${record.offset}`
  const id = uuidv5(`${processor}\n${place}`, namespace)
  const text = typeof record.value === 'string'
  const kept = await deps.execute(deadLetters, {
    stream: deadLetterStream(id),
    command: {
      type: 'Bury',
      actor: processor,
      at: deps.clock.now(),
      letter: {
        processor,
        topic: record.topic,
        partition: record.partition,
        offset: String(record.offset),
        key: record.key,
        headers: record.headers,
        value: text ? record.value : Buffer.from(record.value).toString('base64'),
        encoding: text ? 'text' : 'base64',
        reason: fault.reason,
        path: fault.path ?? null,
        message: fault.message,
      },
    },
    causationId: place,
    correlationId: place,
  })
  if (isLeft(kept)) throw new Away(`a dead letter could not be kept: ${JSON.stringify(kept.left)}`)
  deps.telemetry.count('dead_letters', { processor, reason: fault.reason })
  deps.log.warn({ topic: record.topic, offset: String(record.offset), reason: fault.reason }, fault.message)
}

export const noteRefusal = async (
  deps: ProcessorDependencies,
  processor: string,
  record: BrokerRecord,
  message: Message,
  stream: string,
  rejection: Rejection,
): Promise<void> => {
  const cause = causeOf(message)
  const noted = await deps.execute(refusals, {
    stream: refusalStream(uuidv5(`${processor}\n${cause}`, namespace)),
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
        code: rejection.code,
        because: rejection.message,
      },
    },
    causationId: cause,
    correlationId: message.correlationId ?? message.id,
  })
  if (isLeft(noted)) throw new Away(`a refusal could not be kept: ${JSON.stringify(noted.left)}`)
}
