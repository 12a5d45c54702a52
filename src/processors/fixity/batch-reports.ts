import type { BatchItem, IntactGroup, IntactItem } from '../../domain/fixity/batch/events.ts'
import { type ItemObservation, intactBy, type RecordedRow } from '../../domain/fixity/intact.ts'
import type { BatchObservedMessage } from '../../domain/fixity/messages.ts'
import type { Policy } from '../../domain/fixity/store/events.ts'
import { earlier } from '../../domain/kernel/time.ts'

/** A batch, and its items as the views show them. */
export interface BatchReading {
  /** Undefined if the batch is over, or nobody claimed it: nothing of its report counts. */
  readonly claimed: readonly BatchItem[] | undefined
  /** Items at rest, by path. */
  readonly resting: ReadonlyMap<string, RecordedRow>
  /** Revisions of the streams of all other items, by path. */
  readonly revisions: ReadonlyMap<string, number>
}

interface Sorted {
  readonly intact: readonly IntactGroup[]
  /** Items to be decided on their own streams. */
  readonly others: readonly (ItemObservation & { readonly path: string })[]
}

/**
 * Separates items that are as recorded from those to be decided on their own streams. Ignores an item whose stream has
 * moved on since the claim: the observation may be of an older record, and the item's next check is due as its stream
 * says.
 */
export const sortReport = (
  { observations }: BatchObservedMessage,
  { claimed = [], resting, revisions }: BatchReading,
  policy: Policy,
  now: string,
): Sorted => {
  const wanted = new Map(claimed.map(({ path, revision }) => [path, revision]))
  const groups = new Map<string, { group: Omit<IntactGroup, 'items'>; items: IntactItem[] }>()
  const others: (ItemObservation & { readonly path: string })[] = []
  for (const one of observations) {
    const revision = wanted.get(one.path)
    if (revision === undefined) continue
    const row = resting.get(one.path)
    if ((row?.revision ?? revisions.get(one.path) ?? revision) > revision) continue
    const observation = { ...one, observedAt: earlier(one.observedAt, now) }
    const intact = row?.revision === revision ? intactBy(row, observation, policy) : undefined
    if (!intact) {
      others.push(observation)
      continue
    }
    const { pattern, row: rule, because } = intact.group
    const name = [pattern, rule, because].join('\n')
    const known = groups.get(name)
    if (known) known.items.push(intact.item)
    else groups.set(name, { group: intact.group, items: [intact.item] })
  }
  return { intact: [...groups.values()].map(({ group, items }) => ({ ...group, items })), others }
}
