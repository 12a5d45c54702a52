import type { FixityEvent } from '../../domain/fixity/events.ts'
import type { Handlers } from '../runtime/projection.ts'
import { endOfRun } from './decision-rows.ts'
import { changeFreedItem, changeItem, type FixityTables, freshRun } from './item-rows.ts'

/** When an item is checked, by whom, and what attempts came to nothing. */
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
  // It changes nothing here, but that a batch claimed before it is of an older item.
  ReauditRequested: (_, event, tables) => changeItem(tables, event, () => ({})),

  ClaimReleased: (_, event, tables) => changeFreedItem(tables, event),
  ClaimExpired: (_, event, tables) => changeFreedItem(tables, event),

  AttemptFailed: (data, event, tables) =>
    changeFreedItem(tables, event, ({ attempts }) => ({
      attempts: attempts + 1,
      ownRun: 1,
      because: data.error,
      due: data.dueAt,
    })),
  CheckParked: (data, event, tables) =>
    changeFreedItem(tables, event, () => ({ ...endOfRun, parked: 1, because: data.error, due: null })),
}
