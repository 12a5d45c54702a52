import { Away } from '../../ports/away.ts'
import type { Clock } from '../../ports/clock.ts'
import { livePosition, type ViewStore } from '../../ports/view-store.ts'

/** Waits until the views have folded in a position. Throws `Away` when they do not get there, or when `signal` aborts. */
export type ViewsReach = (position: bigint, signal: AbortSignal) => Promise<void>

/** How long is waited for views before the work pauses and comes again. */
const patienceMillis = 5000

/** Waits for the live views of a projection, in this process or another. */
export const viewsReachOf =
  (
    projection: string,
    { viewStore, clock }: { readonly viewStore: ViewStore; readonly clock: Clock },
  ): ViewsReach =>
  async (position, signal) => {
    for (let waited = 0; waited < patienceMillis && !signal.aborted; waited += 5) {
      if (livePosition(viewStore, projection) >= position) return
      await clock.sleep(5, signal)
    }
    throw new Away(
      `the ${projection} views have not reached position ${position} yet; does a process fold them?`,
    )
  }
