import * as E from 'fp-ts/lib/Either.js'
import type { StoreEvent } from './events.ts'

export interface StoreRejection {
  readonly code:
    | 'unknown-store'
    | 'registered-otherwise'
    | 'root-missing'
    | 'root-needless'
    | 'external-store'
    | 'not-away'
    | 'moved-meanwhile'
    | 'no-bucket'
  readonly message: string
}

export type Decision = E.Either<StoreRejection, readonly StoreEvent[]>

export const reject = (code: StoreRejection['code'], message: string): Decision => E.left({ code, message })
