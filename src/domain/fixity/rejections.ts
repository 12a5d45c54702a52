import { type Either, left } from 'fp-ts/lib/Either.js'
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
    | 'nothing-to-accept'
  readonly message: string
}

export type Decision = Either<FixityRejection, readonly FixityEvent[]>

export const reject = (code: FixityRejection['code'], message: string): Either<FixityRejection, never> =>
  left({ code, message })

export const unknownItem = (item: Item): Either<FixityRejection, never> =>
  reject('unknown-item', `nothing is known of ${itemId(item)}; record it first or check the spelling`)
