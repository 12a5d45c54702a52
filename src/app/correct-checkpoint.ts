import { type EventPlace, isSamePlace } from '../domain/kernel/event-place.ts'
import type { Checkpoint } from '../ports/checkpoint-store.ts'
import type { Correction, Generation } from '../ports/view-store.ts'
import { positionOf } from '../processors/runtime/same-log.ts'

/** What is known of the log that checkpoints are compared with. */
export interface LogNow {
  /** Up to here it is the log that was followed. */
  readonly held: EventPlace | undefined
  /** Is the event that was seen at the last look still there? Undefined: nobody looked who kept places of events. */
  readonly holdsSeen: boolean | undefined
  /** Its newest event, but for those of leader leases. */
  readonly newest: EventPlace | undefined
  /** When it took its last event; empty where there is none. */
  readonly lastTime: string
  /** No position is behind that: a server has events of its own behind ours. */
  readonly end: bigint
}

export interface Standing {
  readonly generation: Generation
  readonly at: Checkpoint
}

/**
 * How a checkpoint is put right; undefined where it is. Everything up to `held` was folded in or passed over as it stands
 * there. A checkpoint behind it goes back to it: with its rows, where all that was folded in lies before; without them,
 * where it does not. That it goes back where nothing was wrong costs a look at the few events between.
 */
export const correct = (standing: Standing, log: LogNow): Correction | undefined => {
  const { at } = standing
  const { held, newest, end } = log
  if (at.position <= positionOf(held)) return undefined
  switch (lastFolded(at, log)) {
    case 'held':
      // Leader leases say much, to nobody who follows the log.
      return at.position <= end && isSamePlace(held, newest) ? undefined : goesTo(standing, held)
    case 'gone':
      return { ...goesTo(standing, held), isWrong: true }
    case 'unknown':
      return undefined
  }
}

/** Of another log nothing is of use. */
export const startAnew = (standing: Standing): Correction => ({
  ...goesTo(standing, undefined),
  isWrong: true,
})

/** Is the last event that was folded in still there? Where only its time was kept, what else is known must do. */
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
