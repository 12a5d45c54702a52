import { whenCaughtUp } from '../async/caught-up.ts'
import { waitUntil } from '../async/wait-until.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { ApiContext } from './context.ts'

type Watch = Pick<ApiContext, 'system' | 'running'>

/** Position of a projection's live views; undefined where there are none yet. */
export const positionOf = ({ system: { viewStore } }: Watch, projection: string): bigint | undefined => {
  const live = viewStore.live(projection)
  return live && viewStore.checkpoint(live).position
}

/** Calls back after each fold in this process; returns the way to stop it. */
const onFold =
  ({ running }: Watch) =>
  (listener: () => void): (() => void) =>
    running?.onViewChange(listener) ?? (() => {})

/** For folds in other processes. */
const pollMillis = 20

/** True once queries see everything up to `position`, false when patience is at its end. */
export const viewsReach = async (
  context: Watch & Pick<ApiContext, 'patienceMillis'>,
  projection: string,
  position: bigint,
  signal: AbortSignal,
): Promise<boolean> => {
  const { system, patienceMillis } = context
  const reached = await whenCaughtUp(position, {
    reached: () => positionOf(context, projection) ?? -1n,
    onChange: onFold(context),
    pollMillis,
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
  const poll = () => {
    const position = positionOf(context, projection)
    return { isDone: position !== undefined && position !== last, position }
  }
  const waiting = { clock: context.system.clock, onChange: onFold(context), pollMillis: SECOND, signal }
  for (;;) {
    const { position } = await waitUntil(poll, waiting)
    if (signal.aborted || position === undefined) return
    last = position
    yield position
  }
}
