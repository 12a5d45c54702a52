import { Bits } from './bits.ts'
import type { SchedulerModel } from './scheduler-model.ts'
import type { Outlook } from './scheduler-state.ts'
import { whyIneligible } from './standing.ts'

/** Counted as `select` would choose if nothing changed: waiting clips fill up the last item of an episode. */
export const outlook = (model: SchedulerModel): Outlook => {
  const { pairs, policy, excludedCurators } = model
  const waits = new Bits()
  for (const clip of model.clipOrder.waiting()) waits.add(clip)
  const waitingClips = waits.count()
  const found = { items: 0, pairs: 0, waitingPairs: 0 }
  for (const [episode, standing] of model.episodes.all.entries()) {
    if (whyIneligible(standing, excludedCurators).length > 0) continue
    const open = pairs.counted - pairs.closedCount(episode)
    const waiting = waitingClips - waits.common(pairs.closedOf(episode))
    const items = Math.ceil(open / policy.maxClips)
    const along = Math.min(waiting, items * policy.maxClips - open)
    found.items += items
    found.pairs += open + along
    found.waitingPairs += waiting - along
  }
  const until = model.waiting.due()
  return { ...found, waitingClips, ...(until !== undefined && { until }) }
}
