import type { FixityEvent } from '../../domain/fixity/events.ts'
import { itemOf } from '../../domain/fixity/item.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { endOfRun } from './decision-rows.ts'
import { changeFreedItem, changeItem, freshRun } from './item-rows.ts'
import { noteRead } from './read-rows.ts'
import type { FixityTables } from './tables.ts'

/** Handlers for an item's checks: when, by which worker, and failed attempts. */
export const checkHandlers: Handlers<FixityEvent, FixityTables> = {
  CheckRequested: ({ dueAt, queue }, event, tables) =>
    changeItem(tables, event, () => ({ ...freshRun(dueAt, queue), ownRun: 1 })),
  CheckRevived: ({ dueAt }, event, tables) =>
    changeItem(tables, event, () => ({ ...freshRun(dueAt, 'high'), ownRun: 1 })),

  CheckClaimed: ({ holder, fence, deadline }, event, tables) => {
    const { store, path } = changeItem(tables, event, () => ({ heldUntil: deadline }))
    tables['fixity-claims'].put({ store, path, holder, fence, since: event.recordedAt, deadline })
  },
  ClaimExtended: ({ deadline }, event, tables) => {
    const { store, path } = changeItem(tables, event, () => ({ heldUntil: deadline }))
    const claim = tables['fixity-claims'].get(store, path)
    if (claim) tables['fixity-claims'].put({ ...claim, deadline })
  },
  // The row is about the current version, and this is evidence about another; its bytes count as read.
  VersionChecked: ({ content }, event, tables) => {
    const { store } = changeItem(tables, event, () => ({}))
    noteRead(tables, event, store, { checks: 1, bytes: content.status === 'read' ? content.size : 0 })
  },
  // It changes nothing here, except that a batch claimed before it is of an older revision of the item.
  ReauditRequested: (_, event, tables) => changeItem(tables, event, () => ({})),

  ClaimReleased: ({ fence }, event, tables) => {
    const { store, path } = itemOf(idOf(event.stream))
    // The claim was over before, and its end used up an attempt: its holder lives.
    if (tables['fixity-claims'].get(store, path)?.fence !== fence)
      changeItem(tables, event, ({ attempts, because }) => ({
        attempts: Math.max(attempts - 1, 0),
        because: attempts > 1 ? because : null,
      }))
    else changeFreedItem(tables, event)
  },
  ClaimExpired: (_, event, tables) => changeFreedItem(tables, event),

  AttemptFailed: (data, event, tables) => {
    const { store, size } = changeFreedItem(tables, event, ({ attempts }) => ({
      attempts: attempts + 1,
      ownRun: 1,
      because: data.error,
      due: data.dueAt,
    }))
    noteRead(tables, event, store, { checks: 1, bytes: size ?? 0 })
  },
  CheckParked: (data, event, tables) =>
    changeFreedItem(tables, event, () => ({ ...endOfRun, parked: 1, because: data.error, due: null })),
}
