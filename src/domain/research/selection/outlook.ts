import { Bits } from './bits.ts'
import type { Outlook } from './board.ts'
import type { BoardState } from './board-state.ts'
import { hindrances } from './standing.ts'

/** Counted as `select` would choose, were nothing to change between: waiting clips fill up the last item of an episode. */
export const outlook = (board: BoardState): Outlook => {
  const { pairs, policy, excludedCurators } = board
  const waits = new Bits()
  for (const clip of board.clipOrder.waiting()) waits.add(clip)
  const waitingClips = waits.count()
  const found = { items: 0, pairs: 0, waitingPairs: 0 }
  for (const [episode, standing] of board.episodes.all.entries()) {
    if (hindrances(standing, excludedCurators).length > 0) continue
    const open = pairs.counted - pairs.closedCount(episode)
    const waiting = waitingClips - waits.common(pairs.closedOf(episode))
    const items = Math.ceil(open / policy.maxClips)
    const along = Math.min(waiting, items * policy.maxClips - open)
    found.items += items
    found.pairs += open + along
    found.waitingPairs += waiting - along
  }
  const until = board.waiting.due()
  return { ...found, waitingClips, ...(until !== undefined && { until }) }
}
