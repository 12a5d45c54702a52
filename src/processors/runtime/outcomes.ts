import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import type { Logger } from 'pino'
import { v5 as uuidv5 } from 'uuid'
import { errorMessage } from '../../async/errors.ts'
import { unavailable } from '../../async/unavailable.ts'
import { clip } from '../../domain/kernel/clip.ts'
import type { InvalidMessage } from '../../domain/kernel/invalid-message.ts'
import { causeOf, formerCauseOf, type Message } from '../../domain/kernel/message.ts'
import {
  type RejectedMessage,
  rejectedMessageStream,
  rejectedMessages,
} from '../../domain/kernel/rejected-message.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Execute, ExecuteFailure } from './execute.ts'

/*
 * Records of messages that had no effect: an invalid message is stored whole (dead-letter-record.ts), for others only
 * the rejection.
 */

export interface OutcomeDependencies {
  readonly broker: { readonly id: string }
  readonly execute: Execute
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly log: Logger
}

export const defect = (error: unknown): InvalidMessage => {
  const text = errorMessage(error)
  return {
    reason: 'defect',
    message: `handling it failed: ${clip(text, 1000)}; please report this, then retry it`,
  }
}

/** Returns why a message is invalid whose command failed. Throws `UnavailableError` if the failure is not the message's. */
export const invalidBy = (failure: ExecuteFailure): InvalidMessage => {
  switch (failure.kind) {
    case 'TooLarge':
      return {
        reason: 'too-large',
        message: `its events take ${failure.bytes} bytes, the log accepts ${failure.limit}; split it`,
      }
    case 'StreamDeleted':
      return {
        reason: 'stream-deleted',
        message: `${failure.stream} is permanently deleted and takes no more events`,
      }
    case 'Refused':
      return { reason: 'refused', message: `the log refuses its events: ${failure.reason}` }
    case 'Contended':
    case 'Unavailable':
      throw unavailable(failure)
  }
}

/** Id of a stored outcome, the same however often the message is delivered. */
export const keptId = (processor: string, ...parts: readonly string[]): string =>
  uuidv5([processor, ...parts].join('\n'), namespace)

const namespace = '0b1f5c0e-3c55-5b7e-8b54-6a8f2f6c1d42'

/**
 * Stores a rejection, once for each stream that rejected the message. Returns why it can never be stored: the message
 * then becomes a dead letter. Throws `UnavailableError`.
 */
export const noteRejection = async (
  deps: OutcomeDependencies,
  processor: string,
  rejected: { readonly record: BrokerRecord; readonly message: Message; readonly stream: string },
  rejection: Rejection,
): Promise<InvalidMessage | undefined> => {
  const { record, message, stream } = rejected
  const { code, details } = rejection
  const because = rejection.message.toWellFormed()
  const cause = causeOf(message)
  const keep = (
    outcome: Pick<RejectedMessage, 'because' | 'details'>,
    { of = cause, ...expected }: { readonly of?: string; readonly expected?: bigint } = {},
  ) =>
    deps.execute(rejectedMessages, {
      ...expected,
      stream: rejectedMessageStream(keptId(processor, of, stream)),
      command: {
        type: 'Note',
        actor: processor,
        at: deps.clock.now(),
        rejected: {
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
  const former = formerCauseOf(message)
  // A stream with an event: an older version stored this rejection.
  if (former !== undefined && isRight(await keep({ because }, { of: former, expected: 0n }))) return undefined
  let noted = await keep({ because, ...(details && { details }) })
  // A rejection may quote as much as a message holds.
  if (isLeft(noted) && noted.left.kind === 'TooLarge') noted = await keep({ because: clip(because, 1000) })
  if (isLeft(noted)) return noted.left.kind === 'StreamDeleted' ? undefined : invalidBy(noted.left)
  if (noted.right.kind === 'done') deps.telemetry.count('failures', { processor, reason: code })
  return undefined
}
