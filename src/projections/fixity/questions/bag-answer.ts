import * as t from 'io-ts'
import { JudgedBag } from './live-bags.ts'

const orNull = t.union([t.string, t.null])

export const BagAnswer = t.intersection([
  JudgedBag,
  t.type({
    at: t.string,
    isComplete: t.boolean,
    /** Problems that the listing found: the first ones. */
    problems: t.readonlyArray(t.type({ path: t.string, reason: t.string })),
    problemsLeftOut: t.number,
    /** Expected items by state. */
    states: t.readonlyArray(t.type({ state: t.string, count: t.number })),
    /** First and last of the times at which its items were last read and found as recorded. */
    firstVerified: orNull,
    lastVerified: orNull,
    /** Open findings about its items, the oldest first; at most 100. */
    findings: t.readonlyArray(t.type({ path: t.string, summary: t.string, openedAt: t.string })),
  }),
])
export type BagAnswer = t.TypeOf<typeof BagAnswer>
