import { setImmediate } from 'node:timers/promises'
import { orThrow } from '../../async/unavailable.ts'
import type { Comparer, Difference, Generation, ViewStore } from '../../ports/view-store.ts'
import { addingUp, foldUpTo, type Pace, type Stores, type Watched, type Watcher } from './catch-up.ts'
import { makeSureOfAll } from './fold.ts'
import type { Projection } from './projection.ts'

interface RebuildOptions extends Stores, Pace {
  /** Compare row by row with the live views before replacing them. */
  readonly verify?: boolean
  /** Replace them even if rows differ: the log is the truth, so the live views are wrong. */
  readonly promote?: boolean
  /** Replaces the comparison at once, which blocks the event loop. */
  readonly compare?: Comparer['compare']
  readonly onPhase?: (phase: RebuildPhase) => void
  readonly examination?: Examination
}

/** Compares the events that are folded with the sealed log. */
export interface Examination extends Watcher {
  /** Asked once all is folded. False: the log is not the sealed one, and the new views must wait. */
  isSealed(): Promise<boolean>
}

/** `overtaking`: folds to the end of the log, to replace the live views. */
export type RebuildPhase = 'folding' | 'comparing' | 'overtaking'

export interface RebuildReport {
  readonly projection: string
  /** Everything up to here is folded in. */
  readonly position: bigint
  /**
   * Position at which the rows were compared; undefined if they were not (not requested, or no live views of this
   * version).
   */
  readonly comparedAt?: bigint
  readonly differences: readonly Difference[]
  /** False: the live ones stay; the new rows were dropped again, unless they are held. */
  readonly promoted: boolean
  /** The new rows, which wait beside the live ones until a person lets them take their place. */
  readonly held?: Generation
}

/**
 * Rebuilds a projection from the beginning of the log beside the live views, which queries read meanwhile. Throws
 * `UnavailableError`, `ProjectionStopped`, or the signal's reason; the live views then stay.
 */
export const rebuild = async (projection: Projection, options: RebuildOptions): Promise<RebuildReport> => {
  const { viewStore, eventStore } = options
  const unwatched = { ...options, ...addingUp(options) }
  const stores = { ...unwatched, watcher: options.examination }
  options.onPhase?.('folding')
  const generation = viewStore.create(projection.name, projection.version, projection.views)
  /** Examines only what is folded: else it might change in between. */
  const foldThen = async (examination: Examination): Promise<boolean> => {
    if (!options.verify) await overtakeLive(projection, generation, stores, await orThrow(eventStore.head()))
    return examination.isSealed()
  }
  try {
    const compared = options.verify ? await verify(projection, generation, stores) : undefined
    const differences = compared?.differences ?? []
    const mayFollow = differences.length === 0 || options.promote === true
    if (mayFollow) options.onPhase?.('overtaking')
    const isSealed = options.examination === undefined || (await foldThen(options.examination))
    const promoted = mayFollow && isSealed
    if (promoted) await takePlace(projection, generation, unwatched)
    const { position } = viewStore.checkpoint(generation)
    const isHeld = mayFollow && !isSealed
    if (!promoted && !isHeld) discard(viewStore, generation)
    return {
      projection: projection.name,
      position,
      ...(compared && { comparedAt: compared.position }),
      differences,
      promoted,
      ...(isHeld && { held: generation }),
    }
  } catch (error) {
    discard(viewStore, generation)
    throw error
  }
}

/** Lets views that were folded from the beginning take the place of the live ones, once they have all that those have. */
export const takePlace = async (
  projection: Projection,
  generation: Generation,
  stores: Stores & Pace,
): Promise<void> => {
  const { eventStore, viewStore } = stores
  await overtakeLive(projection, generation, stores, await orThrow(eventStore.head()))
  // Once more: the disk may have failed meanwhile.
  await makeSureOfAll(eventStore)
  viewStore.promote(generation)
}

/** A runner may have found it, folded it too and promoted it: then it stays. */
const discard = (viewStore: ViewStore, generation: Generation): void => {
  if (viewStore.live(generation.projection)?.id !== generation.id) viewStore.drop(generation)
}

/** Folds to the end of the log, and at least as far as the live views: what was visible stays visible. */
const overtakeLive = async (
  projection: Projection,
  generation: Generation,
  stores: Watched & Pace,
  head: bigint,
): Promise<void> => {
  const { position } = await foldUpTo(stores, projection, generation, { position: head }, stores)
  const live = stores.viewStore.live(projection.name)
  const target = live ? stores.viewStore.checkpoint(live).position : -1n
  if (target > position) await overtakeLive(projection, generation, stores, target)
}

/** Meeting a checkpoint that moves takes some tries; after so many in vain it never stands still. */
const tries = 1000

const verify = async (
  projection: Projection,
  generation: Generation,
  stores: RebuildOptions & Watched,
): Promise<{ readonly position: bigint; readonly differences: readonly Difference[] } | undefined> => {
  const { viewStore, compare = viewStore.compare, onPhase, signal } = stores
  for (let i = 0; i < tries; i++) {
    const live = viewStore.live(projection.name)
    if (live?.version !== projection.version) return undefined
    const { position } = viewStore.checkpoint(live)
    await foldUpTo(stores, projection, generation, { position }, stores)
    onPhase?.('comparing')
    const differences = await compare(live, generation)
    signal?.throwIfAborted()
    if (differences) return { position, differences }
    await setImmediate()
  }
  throw new Error(
    `the views of ${projection.name} move on too fast to be compared; stop what writes events, then try again`,
  )
}
