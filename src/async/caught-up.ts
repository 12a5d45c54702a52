import type { ViewStore } from '../ports/view-store.ts'
import { type Waiting, waitUntil } from './wait-until.ts'

/** Returns the position of a projection's live views; -1n if there are none. */
export const livePosition = (viewStore: Pick<ViewStore, 'generations'>, projection: string): bigint =>
  livePositions(viewStore)(projection)

/** The same for any projection, as of now. */
export const livePositions = (
  viewStore: Pick<ViewStore, 'generations'>,
): ((projection: string) => bigint) => {
  const live = viewStore.generations().filter(({ status }) => status === 'live')
  const positions = new Map(live.map(({ projection, checkpoint }) => [projection, checkpoint.position]))
  return (projection) => positions.get(projection) ?? -1n
}

interface CatchingUp extends Waiting {
  /** Current position of the views. */
  readonly reached: () => bigint
}

/**
 * Read your writes: resolves once views have folded everything up to `position`, or when patience ends, or when
 * `signal` aborts. Returns the views' position then.
 */
export const whenCaughtUp = async (
  position: bigint,
  { reached, ...waiting }: CatchingUp,
): Promise<bigint> => {
  const poll = () => {
    const now = reached()
    return { isDone: now >= position, reached: now }
  }
  return (await waitUntil(poll, waiting)).reached
}
