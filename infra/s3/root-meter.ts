import { v7 as uuid } from 'uuid'
import type { BucketMeter, MeteredSpan } from '../../src/ports/bucket-meter.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { takeTotals } from './request-counts.ts'
import { countsOfRoot } from './root-counts.ts'

/** Cuts the counts of each root into spans, from now on. */
export const createRootMeter = (table: SharedArrayBuffer, clock: Pick<Clock, 'now'>): BucketMeter => {
  const begun = clock.now()
  const ends = new Map<string, string>()
  const open = new Map<string, MeteredSpan>()

  const next = (root: string): MeteredSpan | undefined => {
    const counts = countsOfRoot(table, root)
    const totals = counts && takeTotals(counts)
    if (!totals || isNothing(totals)) return undefined
    const [from, to] = [ends.get(root) ?? begun, clock.now()]
    ends.set(root, to)
    const span = { id: uuid(), from, to, ...totals }
    open.set(root, span)
    return span
  }

  return {
    span: (root) => open.get(root) ?? next(root),
    markRecorded: (root, id) => {
      if (open.get(root)?.id === id) open.delete(root)
    },
  }
}

const isNothing = ({ requests, bytesRead, bytesWritten }: Omit<MeteredSpan, 'id' | 'from' | 'to'>): boolean =>
  bytesRead + bytesWritten + Object.values(requests).reduce((sum, made) => sum + made, 0) === 0
