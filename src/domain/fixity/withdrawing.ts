import * as E from 'fp-ts/lib/Either.js'
import type { WithdrawMisread } from './commands.ts'
import { defined } from './defined.ts'
import type { FixityEvent } from './events.ts'
import { itemId } from './item.ts'
import { type Decision, reject, unknownItem } from './rejections.ts'
import type { ItemState } from './state.ts'

/**
 * A person takes back an item that stands recorded because its name was misread. An item that an observation saw is a
 * file: it is no misread name. The same again is no event.
 */
export const withdrawMisread = (command: WithdrawMisread, state: ItemState): Decision => {
  const { item, misread, file, wasSeen, reason, at } = command
  if (!state.known || !state.audit) return unknownItem(item)
  if (state.audit.word.status === 'removed') return E.right([])
  if (wasSeen || state.wasSeen)
    return reject(
      'was-seen',
      `a check has seen ${itemId(item)}: it is a file, and no misread name; settle its finding with fixity.resolve`,
    )
  const removed: FixityEvent = {
    type: 'ContentRemoved',
    data: { at, dueAt: at, reason, misread, ...defined({ file }) },
  }
  const closed = state.open.map(
    ({ resolution }): FixityEvent => ({
      type: 'ResolutionClosed',
      data: { resolution, how: 'false-alarm', reason, at },
    }),
  )
  return E.right([removed, ...closed])
}
