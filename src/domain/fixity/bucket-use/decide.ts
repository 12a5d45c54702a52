import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { type BucketUseEvent, bucketUseEvents, category } from './events.ts'

/** From a process that has asked something of the bucket of a store. */
export interface CountRequests extends Command {
  readonly type: 'CountRequests'
  readonly use: BucketUseEvent['data']
}

/** Each span is recorded: a repeated command has the same cause, by which it has its effect once. */
export const bucketUseDecider: Decider<undefined, CountRequests, BucketUseEvent, never> = {
  category,
  events: bucketUseEvents,
  initial: undefined,
  evolve: () => undefined,
  decide: ({ use }) => E.right([{ type: 'RequestsCounted', data: use }]),
}
