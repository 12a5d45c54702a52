import { type FixityEvent, isEnding } from '../../domain/fixity/events.ts'
import { itemOf } from '../../domain/fixity/item.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeItem } from './item-rows.ts'
import type { FixityTables } from './tables.ts'

export const resolutionHandlers: Handlers<FixityEvent, FixityTables> = {
  ResolutionOpened: (data, event, tables) => {
    changeItem(tables, event, ({ open }) => ({ open: open + 1 }))
    tables['fixity-resolutions'].put({
      ...itemOf(idOf(event.stream)),
      resolution: data.resolution,
      class: data.class,
      row: data.row,
      status: 'open',
      summary: data.summary,
      openedAt: data.at,
      assignee: null,
      closedAt: null,
      how: null,
      actor: null,
      reason: null,
    })
  },
  ResolutionAssigned: ({ resolution, to }, event, tables) => {
    const { store, path } = changeItem(tables, event, () => ({}))
    const row = tables['fixity-resolutions'].get(store, path, resolution)
    if (row) tables['fixity-resolutions'].put({ ...row, assignee: to ?? null })
  },
  ResolutionClosed: ({ resolution, at, how, reason }, event, tables) => {
    const { store, path } = itemOf(idOf(event.stream))
    const row = tables['fixity-resolutions'].get(store, path, resolution)
    const { actor } = event.metadata
    changeItem(tables, event, ({ open, failedOn, settlement }) => {
      const ended = open === 1 && isEnding(how) && failedOn !== null
      return { open: Math.max(0, open - 1), settlement: ended ? { how, failedOn } : settlement }
    })
    if (row) tables['fixity-resolutions'].put({ ...row, status: 'closed', closedAt: at, how, actor, reason })
  },
}
