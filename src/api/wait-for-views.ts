import { addMillis, SECOND } from '../domain/kernel/time.ts'
import type { ApiContext } from './context.ts'

type Watch = Pick<ApiContext, 'system' | 'running'>

/** How far a projection's live views are; undefined where there are none yet. */
export const positionOf = ({ system: { viewStore } }: Watch, projection: string): bigint | undefined => {
  const live = viewStore.live(projection)
  return live && viewStore.checkpoint(live).position
}

/** Waits for the next fold in this process, or `millis` for one in another. */
export const nextFold = async (
  { system, running }: Watch,
  millis: number,
  signal: AbortSignal,
): Promise<void> => {
  const over = new AbortController()
  const finish = () => over.abort()
  const stopListening = running?.onViewChange(finish)
  signal.addEventListener('abort', finish)
  try {
    if (!signal.aborted) await system.clock.sleep(millis, over.signal)
  } finally {
    stopListening?.()
    signal.removeEventListener('abort', finish)
  }
}

const lookEveryMillis = 20

/** Read your writes: true once queries see everything up to `position`, false when patience is at its end. */
export const viewsReach = async (
  context: ApiContext,
  projection: string,
  position: bigint,
  signal: AbortSignal,
): Promise<boolean> => {
  const { clock } = context.system
  const end = addMillis(clock.now(), context.patienceMillis)
  for (;;) {
    if ((positionOf(context, projection) ?? -1n) >= position) return true
    signal.throwIfAborted()
    if (clock.now() >= end) return false
    await nextFold(context, lookEveryMillis, signal)
  }
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
