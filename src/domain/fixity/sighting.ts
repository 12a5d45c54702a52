import * as E from 'fp-ts/lib/Either.js'
import { isActive } from '../kernel/lease.ts'
import { addMillis, MINUTE } from '../kernel/time.ts'
import type { SightContent } from './commands.ts'
import type { FixityEvent } from './events.ts'
import type { Decision } from './rejections.ts'
import type { ItemState } from './state.ts'

/** Clocks of storage and worker may differ by so much; S3 refuses requests of clocks that differ more. */
const maxSkewMillis = 15 * MINUTE

/**
 * The storage tells of a change: the item is due at once, also one that nobody recorded. A check under way may have read
 * the bytes of before, so its claim ends. Nothing happens where it waits in the high queue, or was observed well after the
 * change. An item in the low one may have been checked in batches since it became due, which its own events do not tell.
 */
export const sightContent = (
  { isDeleted, sightedAt, at }: SightContent,
  { known, lease, queue, dueAt, last }: ItemState,
): Decision => {
  if (!known && isDeleted) return E.right([])
  const isClaimed = isActive(lease, at)
  if (!isClaimed && queue === 'high' && dueAt !== null && dueAt <= at) return E.right([])
  if (last && last.observedAt > addMillis(sightedAt, maxSkewMillis)) return E.right([])
  const reason = `the storage tells of ${isDeleted ? 'a deletion' : 'an upload'} at ${sightedAt}`
  const request: FixityEvent = { type: 'CheckRequested', data: { queue: 'high', dueAt: at, reason } }
  return E.right(
    lease && isClaimed
      ? [{ type: 'ClaimReleased', data: { fence: lease.fence, reason } }, request]
      : [request],
  )
}
