import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { positionUpTo } from '../app/log-moment.ts'
import type { System } from '../app/system.ts'
import { logTimes } from '../domain/kernel/views.ts'
import type { Point } from '../ports/view-store.ts'
import { logIndex } from '../projections/kernel/log-index.ts'
import { asOfParameter } from './http/parameters.ts'
import type { DetailedProblem } from './http/refuse.ts'
import { readFailed } from './read-failed.ts'
import { notReady, viewNotReady } from './view-not-ready.ts'

/** Parameter of questions that read the log: later events are left out. */
export const upToParameter = {
  ...asOfParameter,
  description: 'A time or a position: events that came later are left out.',
} as const

/** The problem that the log has no index: until then no time is found in it. */
export const upToProblem = viewNotReady(logIndex)

/** Returns the problem that a time cannot be found yet: the log has no index. */
export const timeNotFound = ({ viewStore }: Pick<System, 'viewStore'>, at: Point | undefined) =>
  at && 'time' in at && !viewStore.shape(logTimes.name) ? notReady(logIndex) : undefined

/** Returns the position up to which a question reads; undefined: to the end of the log. */
export const upTo = async (
  system: Pick<System, 'eventStore' | 'viewStore'>,
  asOf: Point | undefined,
): Promise<Either<DetailedProblem, bigint | undefined>> => {
  if (!asOf) return right(undefined)
  const problem = timeNotFound(system, asOf)
  if (problem) return problem
  const position = await positionUpTo(system, asOf)
  return isLeft(position)
    ? (readFailed(position.left) as Either<DetailedProblem, never>)
    : right(position.right)
}

/** Cuts a page of the log, oldest first, behind `last`. */
export const cutAt = <
  Page extends {
    readonly events: readonly { readonly position: bigint }[]
    readonly next: bigint
    readonly more: boolean
  },
>(
  page: Page,
  last: bigint | undefined,
): Page =>
  last === undefined
    ? page
    : {
        ...page,
        events: page.events.filter(({ position }) => position <= last),
        more: page.more && page.next <= last,
      }

export const earlierOf = (before: bigint | 'end', last: bigint | undefined): bigint | 'end' =>
  last === undefined || (before !== 'end' && before <= last) ? before : last + 1n
