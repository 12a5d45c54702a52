import * as t from 'io-ts'
import { JobState, WorkState } from '../../../domain/ingest/transitions.ts'

export const WhyReason = t.intersection([
  t.type({
    kind: t.keyof({
      completed: null,
      deleted: null,
      failed: null,
      'failed-for-good': null,
      held: null,
      'collection-on-hold': null,
      paused: null,
      claimed: null,
      'claim-ran-out': null,
      'put-off': null,
      'waits-for-room': null,
      'storage-too-small': null,
      'waits-for-site': null,
      'waits-for-inventory': null,
      behind: null,
      next: null,
      'blocks-report': null,
      'batch-blocked': null,
    }),
    /** The reason in a sentence. */
    says: t.string,
  }),
  t.partial({
    who: t.string,
    because: t.string,
    since: t.string,
    until: t.string,
    /** Step that it would continue with. */
    step: WorkState,
    /** Null: unknown. */
    bytes: t.union([t.number, t.null]),
    promisedBytes: t.number,
    /** Bytes left on the work volume; absent if there is no access to it. */
    leftBytes: t.number,
    /** Most bytes that a job may ever have there. */
    mostBytes: t.number,
    /** It cannot go on by itself, however long it waits. */
    never: t.literal(true),
    /** Number of jobs before it, and the first of them. */
    ahead: t.number,
    /** Jobs that are worked on now, and how many a process works on at once. */
    running: t.number,
    atOnce: t.number,
    first: t.number,
    jobs: t.array(t.number),
  }),
])
export type WhyReason = t.TypeOf<typeof WhyReason>

export const WhyAnswer = t.type({
  job: t.number,
  state: JobState,
  batch: t.string,
  batchNumber: t.number,
  reasons: t.array(WhyReason),
})
export type WhyAnswer = t.TypeOf<typeof WhyAnswer>
