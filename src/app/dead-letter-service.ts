import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { v7 as uuid } from 'uuid'
import { tryUnavailable } from '../async/unavailable.ts'
import {
  type DeadLetter,
  type DeadLetterState,
  deadLetterStream,
  deadLetters,
} from '../domain/kernel/dead-letter.ts'
import { changeLetter, letterTexts } from '../domain/kernel/dead-letter-texts.ts'
import { isPersonal } from '../domain/kernel/personal.ts'
import { is, rows } from '../domain/kernel/read-views.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { RowOf } from '../domain/kernel/view.ts'
import { letters } from '../domain/kernel/views.ts'
import type { RecordPlace } from '../ports/broker.ts'
import { sealedTexts } from '../processors/runtime/sealed-messages.ts'
import { type ProduceFailure, produceAgain } from './produce-again.ts'
import { type Sealing, sealedBy } from './sealed-by.ts'
import type { System } from './system.ts'

/** The actor who resolves a dead letter, with the reason. */
export interface ResolvedBy {
  readonly actor: string
  readonly reason: string
  /** Repeated with the same cause, a command has its effect once. Absent: each call is a new command. */
  readonly cause?: string
  /** For a retry: replaces the value of the message. */
  readonly edited?: string | undefined
}

export type DeadLetterFailure =
  | { readonly kind: 'NotFound'; readonly id: string }
  /** It was resolved already. */
  | { readonly kind: 'Rejected'; readonly rejection: Rejection }
  | ProduceFailure

interface ShownDeadLetter extends DeadLetter {
  readonly id: string
  readonly status: 'waiting' | 'retried' | 'discarded'
}

export interface Resolved {
  readonly outcome: 'done' | 'repeated'
  readonly stream: string
  readonly position: bigint
  /** Where a retried letter's message was produced. */
  readonly placed?: RecordPlace
}

interface Listing {
  readonly status?: string
  readonly limit?: number
  readonly offset?: number
}

/** Returns rows of the view `dead-letters`, the newest first. */
export const listDeadLetters = (
  { viewStore }: Pick<System, 'viewStore'>,
  { status, limit = 100, offset = 0 }: Listing = {},
): E.Either<DeadLetterFailure, readonly RowOf<typeof letters>[]> => {
  if (!viewStore.shape(letters.name)) return E.left(neverFolded)
  const where = status === undefined ? [] : [is('status', status)]
  return E.right(
    rows(viewStore, letters, { where, orderBy: [{ column: 'at', descending: true }], limit, offset }),
  )
}

type DeadLetterTools = Pick<System, 'states' | 'execute' | 'broker' | 'clock'> & Sealing

/** Reads the whole letter from the log, which may be ahead of the view. */
export const showDeadLetter = (
  tools: Pick<DeadLetterTools, 'states'>,
  id: string,
): Promise<E.Either<DeadLetterFailure, ShownDeadLetter>> =>
  pipe(
    find(tools, id),
    TE.map(({ letter, status }) => ({ id, status, ...letter })),
  )()

/**
 * Produces the message on its topic again, byte for byte, then records that. A crash between the two leaves the dead
 * letter waiting; retrying it produces the message twice, which its id makes harmless.
 */
export const retryDeadLetter = (
  tools: DeadLetterTools,
  id: string,
  by: ResolvedBy,
): Promise<E.Either<DeadLetterFailure, Resolved>> => {
  const { actor, reason } = by
  const closed = close(tools, id, 'Retry', by)
  return pipe(
    find(tools, id),
    TE.chain((state) =>
      E.isLeft(deadLetters.decide({ type: 'Retry', actor, reason, at: tools.clock.now() }, state))
        ? closed
        : pipe(
            asItCame(tools, state.letter, by.edited),
            TE.chain((letter) => produceAgain(tools, letter, by.edited)),
            TE.chain((placed) =>
              pipe(
                closed,
                TE.map((resolved) => ({ ...resolved, ...(placed && { placed }) })),
              ),
            ),
          ),
    ),
  )()
}

/** Waiting dead letters that have the same reason, on the same topic. */
interface Group {
  readonly reason: string
  readonly topic: string
  readonly count: number
  readonly first: string
  readonly last: string
  /** The newest one. */
  readonly example: RowOf<typeof letters>
}

/** Groups waiting letters by reason and topic: the largest groups first. */
export const groupDeadLetters = ({
  viewStore,
}: Pick<System, 'viewStore'>): E.Either<DeadLetterFailure, readonly Group[]> => {
  if (!viewStore.shape(letters.name)) return E.left(neverFolded)
  const waiting = is('status', 'waiting')
  const groups = viewStore.tally(letters.name, { by: ['reason', 'topic'], where: [waiting] })
  const of = (reason: string, topic: string, descending: boolean) =>
    rows(viewStore, letters, {
      where: [waiting, is('reason', reason), is('topic', topic)],
      orderBy: [{ column: 'at', descending }],
      limit: 1,
    })[0]
  return E.right(
    groups
      .flatMap(({ reason, topic, count }) => {
        const first = of(String(reason), String(topic), false)
        const example = of(String(reason), String(topic), true)
        return first && example
          ? [
              {
                reason: String(reason),
                topic: String(topic),
                count: Number(count),
                first: String(first.at),
                last: String(example.at),
                example,
              },
            ]
          : []
      })
      .toSorted((one, other) => other.count - one.count),
  )
}

const neverFolded: DeadLetterFailure = {
  kind: 'Unavailable',
  reason: 'the dead letters have not been folded yet; is a process with the role projections running?',
}

/** Records that the message is not needed. It stays in the log. */
export const discardDeadLetter = (
  tools: DeadLetterTools,
  id: string,
  by: ResolvedBy,
): Promise<E.Either<DeadLetterFailure, Resolved>> => close(tools, id, 'Discard', by)()

const withEdited = async (tools: Sealing, by: ResolvedBy): Promise<ResolvedBy> =>
  by.edited === undefined ? by : { ...by, edited: (await sealedTexts(tools, [by.edited]))[0] }

/** The letter with its bytes, key and headers, which the log may have by reference. */
const asItCame = (
  { personal }: Pick<DeadLetterTools, 'personal'>,
  whole: DeadLetter,
  edited: string | undefined,
): TE.TaskEither<ProduceFailure, DeadLetter> => {
  const letter = { ...whole, value: edited === undefined ? whole.value : '' }
  // Older logs have the value alone by reference.
  const texts = (letter.sealed ? letterTexts(letter) : [letter.value]).filter(isPersonal)
  if (texts.length === 0) return TE.right(letter)
  return pipe(
    personal.find(texts),
    TE.chainW((found): TE.TaskEither<ProduceFailure, DeadLetter> => {
      const values = texts.map((text) => found.get(text))
      const erased = values.flatMap((value) => (value?.kind === 'erased' ? [value.at] : []))[0]
      if (erased !== undefined)
        return TE.left({ kind: 'NotTaken', reason: erasedOn(erased, isPersonal(letter.value)) })
      if (!values.every((value) => value?.kind === 'value'))
        return TE.left({
          kind: 'NotTaken',
          reason:
            'the bytes of the message are not readable here: retry it at a node that has the personal values',
        })
      const textOf = new Map(texts.map((text, i) => [text, values[i]!.text]))
      return TE.right(changeLetter(letter, (text) => textOf.get(text) ?? text))
    }),
  )
}

const erasedOn = (at: string, mayBeEdited: boolean): string =>
  `${mayBeEdited ? 'the bytes of the message' : 'its key or headers'} were erased on ${at.slice(0, 10)}: discard it, ${mayBeEdited ? 'or retry it with a value of your own' : 'and send the message anew where it is needed'}`

type Found = Exclude<DeadLetterState, { readonly status: 'unknown' }>

const find = (
  { states }: Pick<DeadLetterTools, 'states'>,
  id: string,
): TE.TaskEither<DeadLetterFailure, Found> =>
  pipe(
    () => states.load(deadLetters, deadLetterStream(id)),
    TE.mapLeft((failure) => asFailure(id, failure)),
    TE.chain(({ state }) =>
      state.status === 'unknown' ? TE.left({ kind: 'NotFound', id }) : TE.right(state),
    ),
  )

const close = (
  tools: DeadLetterTools,
  id: string,
  type: 'Retry' | 'Discard',
  by: ResolvedBy,
): TE.TaskEither<DeadLetterFailure, Resolved> => {
  const stream = deadLetterStream(id)
  return pipe(
    sealedBy(tools, by),
    TE.chainW((sealed) => tryUnavailable(() => withEdited(tools, sealed))),
    TE.chainW(
      ({ actor, reason, edited, cause = uuid() }) =>
        () =>
          tools.execute(deadLetters, {
            stream,
            command: { type, actor, reason, at: tools.clock.now(), ...(type === 'Retry' && { edited }) },
            causationId: cause,
            correlationId: cause,
          }),
    ),
    TE.mapLeft((failure) => asFailure(id, failure)),
    TE.chain((executed) => {
      if (executed.kind !== 'rejected')
        return TE.right<DeadLetterFailure, Resolved>({
          outcome: executed.kind === 'repeated' ? 'repeated' : 'done',
          stream,
          position: executed.position,
        })
      const { rejection } = executed
      return TE.left(
        rejection.code === 'unknown' ? { kind: 'NotFound', id } : { kind: 'Rejected', rejection },
      )
    }),
  )
}

const asFailure = (
  id: string,
  failure: { readonly kind: string; readonly reason?: string },
): DeadLetterFailure =>
  failure.kind === 'StreamDeleted'
    ? { kind: 'NotFound', id }
    : { kind: 'Unavailable', reason: failure.reason ?? failure.kind }
