import { holds } from '../../async/same-log.ts'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { logTimes } from '../../domain/kernel/views.ts'
import type { CopiedViews, ViewCopies } from '../../ports/view-copies.ts'
import type { Generation, Point, ViewStore } from '../../ports/view-store.ts'
import { behindWhich } from '../kernel/questions/log-times.ts'
import type { Stores } from './catch-up.ts'
import { makeSureOfAll } from './fold.ts'
import type { Projection } from './projection.ts'

export interface StoresWithCopies extends Stores {
  readonly viewCopies?: ViewCopies
}

/** Its indexes grow with its rows: made at the end, they would hold up all other work. */
export const createLive = (scratch: ViewStore, { name, version, views }: Projection): Generation => {
  const generation = scratch.create(name, version, views)
  scratch.promote(generation)
  return generation
}

/**
 * Puts the views of the nearest copy at or before a point into a scratch store, to be folded on; undefined where there is none of this
 * version and this log. Throws `UnavailableError`, or the signal's reason.
 */
export const fromCopy = async (
  scratch: ViewStore,
  projection: Projection,
  stores: StoresWithCopies,
  point: Point,
  signal?: AbortSignal,
): Promise<Generation | undefined> => {
  const { eventStore, viewCopies } = stores
  const isOfIt = ({ projection: name, version }: CopiedViews) =>
    name === projection.name && version === projection.version
  const copies = viewCopies?.views().filter(isOfIt) ?? []
  if (copies.length === 0) return undefined
  const log = await orThrow(eventStore.identity())
  const last = lastUpTo(stores.viewStore, log, point)
  const nearestFirst = copies
    .filter((one) => one.log === log)
    .flatMap(asOfItsEvent)
    .filter(({ checkpoint }) => checkpoint.position <= last)
    .toSorted((one, other) => Number(other.checkpoint.position - one.checkpoint.position))
  for (const copied of nearestFirst) {
    // The log may have been put back from an older copy, and have gone on otherwise.
    if (!(await holds(eventStore, copied.checkpoint.event))) continue
    const generation = createLive(scratch, projection)
    try {
      await scratch.fill(generation, copied, signal)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      // Damaged, or deleted meanwhile: an older one will do.
      scratch.drop(generation)
      continue
    }
    await makeSureOfAll(eventStore)
    return generation
  }
  return undefined
}

/** Up to its event a copy is of this log; behind it, up to where it was folded, this log may have gone on otherwise. */
const asOfItsEvent = (copied: CopiedViews) => {
  const { event, time } = copied.checkpoint
  return event ? [{ ...copied, checkpoint: { position: BigInt(event.position), time, event } }] : []
}

/** A position up to which all events are at or before the point; a time is looked for in the index of the log. */
const lastUpTo = (viewStore: ViewStore, log: string, point: Point): bigint => {
  if ('position' in point) return point.position
  const isKnown = viewStore.foldedLog()?.id === log && viewStore.shape(logTimes.name)
  return isKnown ? behindWhich(viewStore, point.time) : -1n
}
