import * as E from 'fp-ts/lib/Either.js'
import type { Decided } from '../kernel/decider.ts'
import type { Lease } from '../kernel/lease.ts'
import type { IndexingEvent } from './events.ts'
import { type ArchiveFile, fileId } from './file.ts'
import type { Job } from './outcome.ts'

export interface IndexingRejection {
  readonly code:
    | 'unknown-file'
    | 'kind-unknown'
    | 'place-unknown'
    | 'withdrawn'
    | 'not-due'
    | 'held'
    | 'fenced'
    | 'wrong-job'
    | 'not-parked'
    | 'not-failed'
    | 'day-over'
    | 'no-embargo'
  readonly message: string
}

/** A claim that was granted, and what is to be done under it. */
export interface Granted extends Lease {
  readonly job: Job
}

export type Decision = E.Either<IndexingRejection, Decided<IndexingEvent, Granted>>

export const reject = (
  code: IndexingRejection['code'],
  message: string,
): E.Either<IndexingRejection, never> => E.left({ code, message })

export const unknownFile = (file: ArchiveFile): E.Either<IndexingRejection, never> =>
  reject('unknown-file', `nothing is known of ${fileId(file)}; check the spelling, or have it sighted first`)
