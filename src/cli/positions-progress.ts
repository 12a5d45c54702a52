import type { Progress as Folded } from '../projections/runtime/catch-up.ts'
import type { Session } from './context.ts'
import type { Progress } from './output/progress.ts'

/**
 * Progress of all projections on one bar, which appears once the work has taken a second. It counts events; positions,
 * which are bytes on a server, give the share of the work that is done.
 */
export const positionsProgress = (
  session: Session,
  label: string,
  starts: ReadonlyMap<string, bigint>,
  end: bigint,
): { readonly at: (folded: Folded) => void; readonly done: () => void } => {
  const reached = new Map(starts)
  const counted = new Map<string, number>()
  const total = [...starts.values()].reduce((sum, start) => sum + Math.max(0, Number(end - start)), 0)
  // In seconds. `performance` loads eight of Node's modules, and most folds have nothing to do.
  const started = process.uptime()
  let shown: Progress | undefined
  let passed = 0
  let waiting = 0
  return {
    at: ({ projection, position, events }) => {
      passed += Number(position - (reached.get(projection) ?? -1n))
      reached.set(projection, position)
      waiting += Math.max(0, events - (counted.get(projection) ?? 0))
      counted.set(projection, events)
      if (process.uptime() - started < 1) return
      shown ??= session.progress(label)
      shown.part(total > 0 ? Math.min(1, passed / total) : 1)
      shown.advance(waiting)
      waiting = 0
    },
    done: () => shown?.done(),
  }
}
