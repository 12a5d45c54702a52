import { positionOf } from '../async/same-log.ts'
import { type EventPlace, isSamePlace } from '../domain/kernel/event-place.ts'
import type { Checkpoint } from '../ports/checkpoint-store.ts'
import type { Correction, Generation } from '../ports/view-store.ts'

/** The log as it is now: checkpoints are compared with it. */
export interface LogNow {
  /** The furthest known event that the log still holds: up to here it is the log that was folded. */
  readonly held: EventPlace | undefined
  /** Whether it still holds the event noted last; undefined where none was noted, as by older programs. */
  readonly holdsSeen: boolean | undefined
  /** Its newest event, without those of leader leases. */
  readonly newest: EventPlace | undefined
  /** `recordedAt` of its last event; empty where there is none. */
  readonly lastTime: string
  /** The greatest position that a checkpoint may have: a server has events of its own behind ours. */
  readonly end: bigint
}

export interface Standing {
  readonly generation: Generation
  readonly at: Checkpoint
}

/**
 * How a checkpoint is corrected; undefined where it is right. Up to `held` the log is what was folded. A checkpoint behind
 * `held` goes back to it. Its rows stay where the last folded event is at or before `held`; else they are wrong, and are
 * folded anew. To go back without need costs no more than reading the few events between once again.
 */
export const correct = (standing: Standing, log: LogNow): Correction | undefined => {
  const { at } = standing
  const { held, newest, end } = log
  if (at.position <= positionOf(held)) return undefined
  switch (lastFolded(at, log)) {
    case 'held':
      // Behind `held` there may be events of leader leases alone, which nobody follows.
      return at.position <= end && isSamePlace(held, newest) ? undefined : goesTo(standing, held)
    case 'gone':
      return { ...goesTo(standing, held), isWrong: true }
    case 'unknown':
      return undefined
  }
}

/** Where the log is another one, nothing that was folded is of use. */
export const startAgain = (standing: Standing): Correction => ({
  ...goesTo(standing, undefined),
  isWrong: true,
})

/** Whether the log still holds the last folded event. An older program kept only its time: then it is inferred. */
const lastFolded = (
  { position, event, time }: Checkpoint,
  { held, holdsSeen, lastTime, end }: LogNow,
): 'held' | 'gone' | 'unknown' => {
  if (event) return BigInt(event.position) <= positionOf(held) ? 'held' : 'gone'
  if (event === null) return 'held'
  if (holdsSeen !== undefined && (time === null || time < (held?.recordedAt ?? ''))) return 'held'
  return holdsSeen === false || position > end || (time ?? '') > lastTime ? 'gone' : 'unknown'
}

const goesTo = ({ generation, at }: Standing, place: EventPlace | undefined): Correction => ({
  generation,
  from: at.position,
  to: place
    ? { position: BigInt(place.position), time: place.recordedAt, event: place }
    : { position: -1n, time: null, event: null },
  isWrong: false,
})
