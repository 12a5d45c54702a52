import * as E from 'fp-ts/lib/Either.js'
import { acceptedBy } from './acceptance.ts'
import type { AcceptContent, AssignResolution, CloseResolution, ReviveCheck } from './commands.ts'
import { type FixityEvent, isEnding } from './events.ts'
import { type Item, itemId } from './item.ts'
import { type Decision, reject, unknownItem } from './rejections.ts'
import type { ItemState } from './state.ts'

/* Decisions of a person. */

export const reviveCheck = ({ item, reason, at }: ReviveCheck, state: ItemState): Decision => {
  if (!state.known) return unknownItem(item)
  return state.parked
    ? E.right([{ type: 'CheckRevived', data: { reason, dueAt: at } }])
    : reject('not-parked', `${itemId(item)} is not parked; request a check to have one now`)
}

/**
 * The next check verifies that a finding is resolved. A finding closed as accepted or lost leaves nothing to verify.
 */
export const closeResolution = (command: CloseResolution, state: ItemState): Decision => {
  const { item, resolution, how, reason, at } = command
  if (!state.known) return unknownItem(item)
  if (!state.open.some((open) => open.resolution === resolution)) return notOpen(item, resolution, state)
  const closed: FixityEvent = { type: 'ResolutionClosed', data: { resolution, how, reason, at } }
  const because = `to verify that ${resolution} is settled (${how})`
  const check: FixityEvent = { type: 'CheckRequested', data: { queue: 'high', dueAt: at, reason: because } }
  return E.right(isEnding(how) || state.parked ? [closed] : [closed, check])
}

const notOpen = (item: Item, resolution: string, { open }: ItemState): Decision =>
  reject(
    'unknown-resolution',
    `${resolution} is not open; open for ${itemId(item)}: ${open.map((one) => one.resolution).join(', ') || 'none'}`,
  )

/** Names the person who is to settle a finding; the same person again is no news. */
export const assignResolution = (command: AssignResolution, state: ItemState): Decision => {
  const { item, resolution, to, reason, at } = command
  if (!state.known) return unknownItem(item)
  const found = state.open.find((open) => open.resolution === resolution)
  if (!found) return notOpen(item, resolution, state)
  const data = { resolution, reason, at, ...(to !== undefined && { to }) }
  return E.right(found.assignee === to ? [] : [{ type: 'ResolutionAssigned', data }])
}

/** Returns the last read, from the item's own stream or from a batch. */
const lastRead = ({ lastIntact }: AcceptContent, { last }: ItemState) =>
  lastIntact && !(last && last.observedAt >= lastIntact.observedAt) ? lastIntact : last?.read

export const acceptContent = (command: AcceptContent, state: ItemState): Decision => {
  const { item, actor, reason, at } = command
  if (!state.known) return unknownItem(item)
  const read = lastRead(command, state)
  if (!read || read.checksums.length === 0)
    return reject(
      'nothing-to-accept',
      `the last check of ${itemId(item)} did not read its content; request a check first`,
    )
  const recorded: FixityEvent = {
    type: 'ContentRecorded',
    data: {
      checksums: [...read.checksums],
      size: read.size,
      recordedFrom: acceptedBy(actor),
      at,
      dueAt: at,
    },
  }
  const closed = state.open.map(
    ({ resolution }): FixityEvent => ({
      type: 'ResolutionClosed',
      data: { resolution, how: 'accepted', reason, at },
    }),
  )
  return E.right([recorded, ...closed])
}
