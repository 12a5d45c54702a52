import * as t from 'io-ts'
import { CaptureRow } from './capture-rows.ts'
import { DayCount } from './count-days.ts'

export const Captures = t.type({
  url: t.string,
  /** Its key in the index. */
  key: t.string,
  /** So many of them, from `offset` on. */
  captures: t.readonlyArray(CaptureRow),
  /** How many there are; at least so many where `isCut`. */
  total: t.number,
  /** Not all was looked at: too many lines for one question over HTTP. */
  isCut: t.boolean,
  /** Days with captures. */
  days: t.readonlyArray(DayCount),
  /** What addresses of replay begin with: a capture's timestamp, a slash and its URL follow. Null where none is set. */
  replay: t.union([t.string, t.null]),
})
export type Captures = t.TypeOf<typeof Captures>
