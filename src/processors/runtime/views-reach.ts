import { livePosition, whenCaughtUp } from '../../async/caught-up.ts'
import { NotCaughtUp } from '../../async/wait-until.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/**
 * Waits until the views have folded in a position. Throws `NotCaughtUp` if they do not get there, or when `signal`
 * aborts.
 */
export type ViewsReach = (position: bigint, signal: AbortSignal) => Promise<void>

/** How long the work waits for views before it pauses and is tried again. */
const patienceMillis = 5000

/** Waits for the live views of a projection, in this process or another. */
export const viewsReachOf =
  (
    projection: string,
    { viewStore, clock }: { readonly viewStore: ViewStore; readonly clock: Clock },
  ): ViewsReach =>
  async (position, signal) => {
    const reached = () => livePosition(viewStore, projection)
    if ((await whenCaughtUp(position, { reached, clock, patienceMillis, signal })) < position)
      throw new NotCaughtUp(
        `the ${projection} views have not reached position ${position} yet; does a process fold them?`,
      )
  }
