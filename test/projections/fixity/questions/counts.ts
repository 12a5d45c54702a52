import type { Counts } from '#src/projections/fixity/questions/answers.ts'

/** Of a store without items. */
export const none: Counts = {
  expected: 0,
  verified: 0,
  baselined: 0,
  accepted: 0,
  unread: 0,
  lost: 0,
  suspect: 0,
  failed: 0,
  unverified: 0,
  unchecked: 0,
  late: 0,
  parked: 0,
}
