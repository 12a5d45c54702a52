import * as E from 'fp-ts/lib/Either.js'
import type { Decided } from '../kernel/decider.ts'
import type { Lease } from '../kernel/lease.ts'
import type { FixityEvent } from './events.ts'
import { type Item, itemId } from './item.ts'

export interface FixityRejection {
  readonly code:
    | 'unknown-item'
    | 'not-due'
    | 'held'
    | 'not-held'
    | 'parked'
    | 'not-parked'
    | 'fenced'
    | 'stale'
    | 'unknown-resolution'
    | 'several-findings'
    | 'nothing-to-accept'
    | 'was-seen'
  readonly message: string
}

/** The result of a claim is its lease. */
export type Decision = E.Either<FixityRejection, Decided<FixityEvent, Lease>>

export const reject = (code: FixityRejection['code'], message: string): E.Either<FixityRejection, never> =>
  E.left({ code, message })

export const unknownItem = (item: Item): E.Either<FixityRejection, never> =>
  reject('unknown-item', `nothing is known of ${itemId(item)}; record it first or check the spelling`)
