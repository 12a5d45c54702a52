import { left } from 'fp-ts/lib/Either.js'
import type { ReadFailure } from '../ports/event-store.ts'
import { away } from './http/errors.ts'
import { refuse } from './http/refuse.ts'
import type { Handled } from './http/route.ts'

export const readFailed = (failure: ReadFailure): Handled =>
  failure.kind === 'StreamDeleted'
    ? refuse(410, 'stream-deleted', `${failure.stream} is permanently deleted`)
    : left(away(failure.reason))
