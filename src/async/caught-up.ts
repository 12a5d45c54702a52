import type { ViewStore } from '../ports/view-store.ts'
import { type Waiting, waitUntil } from './wait-until.ts'

/** How far the live views of a projection are folded; -1n where there are none. */
export const livePosition = (viewStore: Pick<ViewStore, 'generations'>, projection: string): bigint =>
  livePositions(viewStore)(projection)

/** The same of any projection, as of now. */
export const livePositions = (
  viewStore: Pick<ViewStore, 'generations'>,
): ((projection: string) => bigint) => {
  const live = viewStore.generations().filter(({ status }) => status === 'live')
  const positions = new Map(live.map(({ projection, checkpoint }) => [projection, checkpoint.position]))
  return (projection) => positions.get(projection) ?? -1n
}

interface CatchingUp extends Waiting {
  /** How far the views are now. */
  readonly reached: () => bigint
}

/**
 * Read your writes: resolves once views show everything up to `position`, or when patience is at its end, or when `signal`
 * aborts. Gives how far they are then.
 */
export const whenCaughtUp = async (
  position: bigint,
  { reached, ...waiting }: CatchingUp,
): Promise<bigint> => {
  const look = () => {
    const now = reached()
    return { isDone: now >= position, reached: now }
  }
  return (await waitUntil(look, waiting)).reached
}
