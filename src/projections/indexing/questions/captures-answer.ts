import * as t from 'io-ts'
import { CaptureRow } from './capture-rows.ts'
import { DayCount } from './count-days.ts'

export const Captures = t.type({
  url: t.string,
  /** Its key in the index. */
  key: t.string,
  /** A page of the captures, from `offset` on. */
  captures: t.readonlyArray(CaptureRow),
  /** How many there are; at least so many where `isCut`. */
  total: t.number,
  /** Not all lines were read: there are too many for one question over HTTP. */
  isCut: t.boolean,
  /** Days with captures. */
  days: t.readonlyArray(DayCount),
  /** Beginning of replay addresses: a capture's timestamp, a slash and its URL follow. Null if none is set. */
  replay: t.union([t.string, t.null]),
})
export type Captures = t.TypeOf<typeof Captures>
