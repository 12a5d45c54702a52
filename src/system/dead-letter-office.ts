import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { v7 as uuid } from 'uuid'
import { type DeadLetter, deadLetterStream, deadLetters } from '../domain/kernel/dead-letter.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { BrokerFailure, ProducerRecord, RecordPlace } from '../ports/broker.ts'
import type { Row } from '../ports/view-store.ts'
import type { System } from './system.ts'

/** Who settles a dead letter and why. */
export interface SettledBy {
  readonly actor: string
  readonly reason: string
  /** Repeated with the same one it has its effect once; absent: every call is a new wish. */
  readonly cause?: string
}

export type OfficeFailure =
  | { readonly kind: 'NotFound'; readonly id: string }
  /** It was settled already. */
  | { readonly kind: 'Rejected'; readonly rejection: Rejection }
  /** Its topic does not take it: the sentence says why. */
  | { readonly kind: 'NotTaken'; readonly reason: string }
  | { readonly kind: 'Away'; readonly reason: string }

export interface ShownDeadLetter extends DeadLetter {
  readonly id: string
  readonly status: 'waiting' | 'retried' | 'discarded'
}

export interface Settled {
  readonly outcome: 'done' | 'repeated'
  readonly stream: string
  readonly position: bigint
  /** Where a retried letter's message was put. */
  readonly placed?: RecordPlace
}

export interface Listing {
  readonly status?: string
  readonly limit?: number
  readonly offset?: number
}

/** Rows of the view `dead-letters`, the newest first. */
export const listDeadLetters = (
  { viewStore }: Pick<System, 'viewStore'>,
  { status, limit = 100, offset = 0 }: Listing = {},
): Either<OfficeFailure, readonly Row[]> => {
  if (!viewStore.shape('dead-letters'))
    return left({
      kind: 'Away',
      reason: 'the dead letters were never folded yet; is a process with the role projections running?',
    })
  const where = status === undefined ? [] : [{ column: 'status', is: '=', value: status } as const]
  const orderBy = [{ column: 'at', descending: true }]
  return right(viewStore.query('dead-letters', { where, orderBy, limit, offset }))
}

type Office = Pick<System, 'states' | 'execute' | 'broker' | 'clock'>

/** The letter whole, from the log: it may be newer than the view. */
export const showDeadLetter = async (
  office: Pick<Office, 'states'>,
  id: string,
): Promise<Either<OfficeFailure, ShownDeadLetter>> => {
  const found = await find(office, id)
  if (isLeft(found)) return found
  const { letter, status } = found.right
  return right({ id, status, ...letter })
}

/**
 * Puts the message on its topic again, byte for byte, then notes that it was. A crash between the two leaves the
 * letter waiting, and retrying it puts the message there twice: its id makes that harmless.
 */
export const retryDeadLetter = async (
  office: Office,
  id: string,
  by: SettledBy,
): Promise<Either<OfficeFailure, Settled>> => {
  const found = await find(office, id)
  if (isLeft(found)) return found
  const { actor, reason } = by
  const allowed = deadLetters.decide({ type: 'Retry', actor, reason, at: office.clock.now() }, found.right)
  if (isLeft(allowed)) return settle(office, id, 'Retry', by)
  const { letter } = found.right
  const placed = await office.broker.produce([recordOf(letter)])()
  if (isLeft(placed)) {
    const failure = placed.left
    if (failure.kind === 'Unavailable') return left({ kind: 'Away', reason: failure.reason })
    return left({ kind: 'NotTaken', reason: becauseOf(failure, letter.topic) })
  }
  const settled = await settle(office, id, 'Retry', by)
  const [place] = placed.right
  return isLeft(settled) || !place ? settled : right({ ...settled.right, placed: place })
}

const recordOf = ({ topic, key, headers, value, encoding, raw }: DeadLetter): ProducerRecord => ({
  topic,
  key,
  headers,
  value: encoding === 'text' ? value : bytesOf(value),
  ...(raw && {
    raw: {
      key: raw.key === null ? null : bytesOf(raw.key),
      headers: raw.headers.map((header) => ({ name: header.name, value: bytesOf(header.value) })),
    },
  }),
})

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')

const becauseOf = (failure: Exclude<BrokerFailure, { kind: 'Unavailable' }>, topic: string): string => {
  switch (failure.kind) {
    case 'UnknownTopic':
      return `the topic ${failure.topic} is there no more`
    case 'TooLarge':
      return `it takes ${failure.bytes} bytes, ${topic} takes ${failure.limit}`
    case 'Forbidden':
      return failure.reason
  }
}

/** Notes that a person decided that it is not needed. It stays in the log. */
export const discardDeadLetter = async (
  office: Office,
  id: string,
  by: SettledBy,
): Promise<Either<OfficeFailure, Settled>> => settle(office, id, 'Discard', by)

const find = async ({ states }: Pick<Office, 'states'>, id: string) => {
  const loaded = await states.load(deadLetters, deadLetterStream(id))
  if (isLeft(loaded)) return left<OfficeFailure>(asFailure(id, loaded.left))
  const { state } = loaded.right
  return state.status === 'unknown' ? left<OfficeFailure>({ kind: 'NotFound', id }) : right(state)
}

const settle = async (
  { execute, clock }: Office,
  id: string,
  type: 'Retry' | 'Discard',
  { actor, reason, cause = uuid() }: SettledBy,
): Promise<Either<OfficeFailure, Settled>> => {
  const stream = deadLetterStream(id)
  const executed = await execute(deadLetters, {
    stream,
    command: { type, actor, reason, at: clock.now() },
    causationId: cause,
    correlationId: cause,
  })
  if (isLeft(executed)) return left(asFailure(id, executed.left))
  const result = executed.right
  if (result.kind === 'rejected')
    return left(
      result.rejection.code === 'unknown'
        ? { kind: 'NotFound', id }
        : { kind: 'Rejected', rejection: result.rejection },
    )
  return right({
    outcome: result.kind === 'repeated' ? 'repeated' : 'done',
    stream,
    position: result.position,
  })
}

const asFailure = (
  id: string,
  failure: { readonly kind: string; readonly reason?: string },
): OfficeFailure =>
  failure.kind === 'StreamDeleted'
    ? { kind: 'NotFound', id }
    : { kind: 'Away', reason: failure.reason ?? failure.kind }
