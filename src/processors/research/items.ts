import type { ItemTask } from '../../domain/research/item-task.ts'
import { leases } from '../../domain/research/views.ts'
import type { Claimed, MachineWaiting, TaskQueue } from '../../ports/task-queue.ts'
import { claimItem, type ItemClaimDependencies } from './claim-item.ts'
import { createItemCandidates, type ItemCandidatesDependencies } from './item-candidates.ts'

interface ItemDependencies extends ItemClaimDependencies, ItemCandidatesDependencies {
  /** Episodes that wait for this machine, by their ids. */
  readonly waits?: MachineWaiting
}

/** Queue of the items that wait for a researcher. The episode's own stream decides who gets one. */
export const itemQueue = (deps: ItemDependencies): TaskQueue<ItemTask> => {
  const { viewStore, researcher, restsUntil } = deps
  const candidates = createItemCandidates(deps)

  return {
    name: 'items',
    take: async (limit) => {
      const claims: Claimed<ItemTask>[] = []
      // Before the first fold there is no view.
      if (!viewStore.shape(leases.name)) return claims
      const by = (await deps.inLog?.(researcher)) ?? { researcher }
      for (const item of candidates.list(by)) {
        if (claims.length >= limit) break
        if (await deps.waits?.lasts(item.episode)) continue
        try {
          const claim = await claimItem(item, by, deps)
          if (!claim) continue
          candidates.taken(item.lease)
          claims.push(claim)
        } catch (error) {
          // Granted claims must be worked on, whatever became of the others.
          if (claims.length === 0) throw error
          break
        }
      }
      return claims
    },
    // Items may be taken as soon as they exist, and their event wakes whoever waits.
    nextDue: async () => restsUntil(),
  }
}
