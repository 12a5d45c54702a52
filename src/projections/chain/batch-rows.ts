import type { fixityBatches } from '../../domain/chain/inputs.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { EventsOf } from '../../domain/kernel/event-set.ts'
import type { Handlers } from '../runtime/projection.ts'
import { addTo, type Sums, transition, verified } from './part-rows.ts'
import { isWell } from './standing.ts'
import type { ChainTables, PartRow } from './tables.ts'

/** Items that were checked together and were as recorded: those that are parts of objects. */
export const batchHandlers: Handlers<EventsOf<typeof fixityBatches>, ChainTables> = {
  BatchChecked: ({ store, intact }, event, tables) => {
    // One row of a version is written once, however many of its parts were checked.
    const sums = new Map<string, { of: PartRow; sums: Sums }>()
    for (const { items } of intact)
      for (const { path, revision, observedAt } of items) {
        const before = tables['chain-parts'].get(store, path)
        // An event of the item since it was claimed: the finding is of an older record.
        if (!before || before.revision > revision || before.state === 'withdrawn') continue
        const after = transition(before, { ...before, ...verified(observedAt) }, event)
        tables['chain-parts'].put(after)
        const key = `${before.version} ${before.object}`
        const known = sums.get(key)?.sums ?? { parts: 0, verified: 0, failing: 0 }
        sums.set(key, {
          of: before,
          sums: {
            parts: 0,
            verified: known.verified + (isWell(before.state) ? 0 : 1),
            failing: known.failing - (before.finding === null ? 0 : 1),
          },
        })
      }
    for (const { of, sums: some } of sums.values()) addTo(tables, of, some, event.recordedAt)
  },
}

/** Number of rows written for an event. */
export const weightOf = ({ data }: RecordedEvent): number => {
  const { intact } = data as { readonly intact?: readonly { readonly items?: readonly unknown[] }[] }
  return Array.isArray(intact)
    ? Math.max(
        1,
        intact.reduce((sum, { items }) => sum + (items?.length ?? 0), 0),
      )
    : 1
}
