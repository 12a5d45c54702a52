import { nextCall, whenCaughtUp } from '../async/caught-up.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { ApiContext } from './context.ts'

type Watch = Pick<ApiContext, 'system' | 'running'>

/** How far a projection's live views are; undefined where there are none yet. */
export const positionOf = ({ system: { viewStore } }: Watch, projection: string): bigint | undefined => {
  const live = viewStore.live(projection)
  return live && viewStore.checkpoint(live).position
}

/** Resolves after the next fold in this process, or `millis` for one in another. */
const nextFold = (
  { system: { clock }, running }: Watch,
  millis: number,
  signal: AbortSignal,
): Promise<void> =>
  nextCall((listener) => running?.onViewChange(listener) ?? (() => {}), millis, { clock, signal })

const pollMillis = 20

/** True once queries see everything up to `position`, false when patience is at its end. */
export const viewsReach = async (
  context: ApiContext,
  projection: string,
  position: bigint,
  signal: AbortSignal,
): Promise<boolean> => {
  const { system, patienceMillis } = context
  const reached = await whenCaughtUp(position, {
    reached: () => positionOf(context, projection) ?? -1n,
    moved: (millis) => nextFold(context, Math.min(millis, pollMillis), signal),
    clock: system.clock,
    patienceMillis,
    signal,
  })
  if (reached < position) signal.throwIfAborted()
  return reached >= position
}

/** Each position that a projection's views come to, from now on; some may be passed over. */
export async function* viewPositions(
  context: ApiContext,
  projection: string,
  signal: AbortSignal,
): AsyncGenerator<bigint> {
  let last: bigint | undefined
  while (!signal.aborted) {
    const position = positionOf(context, projection)
    if (position !== undefined && position !== last) {
      last = position
      yield position
    }
    await nextFold(context, SECOND, signal)
  }
}
