import { is, row } from '../../domain/kernel/read-views.ts'
import type { Researcher } from '../../domain/research/episode/commands.ts'
import { researchers } from '../../domain/research/views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { ItemClaimDependencies } from './claim-item.ts'
import { type ItemRowsDependencies, itemRows, type LeaseRow } from './item-rows.ts'

export interface ItemCandidatesDependencies
  extends ItemRowsDependencies,
    Pick<ItemClaimDependencies, 'wish'> {
  readonly viewStore: ViewStore
  /** Time until which the researcher takes nothing; undefined if it takes items. */
  readonly restsUntil: () => string | undefined
}

/** The items that a researcher may try to take, as the views show them. */
interface ItemCandidates {
  /** Without items that it took while views still show them: to take one again would change nothing, and be granted. */
  list(by: Researcher): readonly LeaseRow[]
  taken(lease: string): void
}

export const createItemCandidates = (deps: ItemCandidatesDependencies): ItemCandidates => {
  const { viewStore, clock, wish, restsUntil } = deps
  const items = itemRows(deps)
  let takenLeases = new Set<string>()

  const mayTake = ({ researcher }: Researcher): boolean => {
    const rest = restsUntil()
    if (rest !== undefined && clock.now() < rest) return false
    const known = row(viewStore, researchers, is('researcher', researcher))
    return !known?.blocked && !known?.draining
  }

  return {
    list: (by) => {
      const waiting = mayTake(by) ? items.waiting() : undefined
      // Read after the waiting ones, so that an item that is taken meanwhile is in at least one of the lists.
      const all = [...(wish?.mayBeRepeated ? items.takenBy(by) : []), ...(waiting ?? [])]
      if (waiting)
        takenLeases = new Set(all.map(({ lease }) => lease).filter((lease) => takenLeases.has(lease)))
      return all.filter(({ lease }) => !takenLeases.has(lease))
    },
    taken: (lease) => void takenLeases.add(lease),
  }
}
