import { JobState } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { is, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import type { SummaryLine } from './answers.ts'

const order = Object.keys(JobState.keys)

/** Jobs by collection and state, in the order in which they go through the states. */
export const summaryLines = (
  views: Views,
  { collection, limit }: { readonly collection?: string; readonly limit: number },
): readonly SummaryLine[] => {
  const lines = new Map<string, SummaryLine>()
  const counted = tally(views, jobs, {
    by: ['collection', 'state', 'sizeKnown'],
    sum: ['spaceNeeded'],
    where: collection === undefined ? [] : [is('collection', collection)],
  })
  for (const row of counted) {
    const key = `${row.state} ${row.collection}`
    const line = lines.get(key) ?? {
      collection: row.collection,
      state: row.state,
      jobs: 0,
      bytes: 0,
      unknown: 0,
    }
    lines.set(key, {
      ...line,
      jobs: line.jobs + row.count,
      bytes: line.bytes + row.spaceNeeded,
      unknown: line.unknown + (row.sizeKnown === 0 ? row.count : 0),
    })
  }
  return [...lines.values()]
    .toSorted(
      (one, other) =>
        (one.collection < other.collection ? -1 : one.collection > other.collection ? 1 : 0) ||
        order.indexOf(one.state) - order.indexOf(other.state),
    )
    .slice(0, limit)
}
