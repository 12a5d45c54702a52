import * as t from 'io-ts'

/** An inconsistency. */
export const Finding = t.type({
  rule: t.string,
  /** The batch, job, claim or object. */
  subject: t.string,
  says: t.string,
  /** When it last changed. */
  since: t.string,
  /** A warning for the first hour. */
  severity: t.keyof({ warning: null, failure: null }),
})
export type Finding = t.TypeOf<typeof Finding>
