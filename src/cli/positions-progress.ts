import { SECOND } from '../domain/kernel/time.ts'
import type { Progress as Folded } from '../projections/runtime/catch-up.ts'
import type { Session } from './context.ts'
import type { Progress } from './output/progress.ts'

/** Progress of all projections on one bar, which appears once the work has taken a second. */
export const positionsProgress = (
  session: Session,
  label: string,
  starts: ReadonlyMap<string, bigint>,
  end: bigint,
): { readonly at: (folded: Folded) => void; readonly done: () => void } => {
  const reached = new Map(starts)
  const total = [...starts.values()].reduce((sum, start) => sum + Math.max(0, Number(end - start)), 0)
  const started = performance.now()
  let shown: Progress | undefined
  let waiting = 0
  return {
    at: ({ projection, position }) => {
      waiting += Number(position - (reached.get(projection) ?? -1n))
      reached.set(projection, position)
      if (performance.now() - started < SECOND) return
      shown ??= session.progress(label, { total })
      shown.advance(waiting)
      waiting = 0
    },
    done: () => shown?.done(),
  }
}
