import * as t from 'io-ts'
import { EventPlace } from '../../domain/kernel/event-place.ts'
import {
  readSchedulerState,
  schedulerStateParts,
} from '../../domain/research/selection/create-scheduler-state.ts'
import { snapshotFormat } from '../runtime/snapshot.ts'

/*
 * One line of JSON that names the last event folded in, then the scheduler state. The event proves that the log is still
 * the same: a log that was put back from an older copy has another event in its place, or none.
 */

const Header = t.type({
  format: t.literal(1),
  /** Identity of the log. */
  log: t.string,
  /** The last event that is folded in. */
  last: EventPlace,
  /** The time of its last `advance`: the state before that cannot be told from it. */
  advancedTo: t.string,
})
export type SnapshotHeader = Omit<t.TypeOf<typeof Header>, 'format'>

export const schedulerSnapshot = snapshotFormat(Header, {
  read: readSchedulerState,
  write: schedulerStateParts,
})
