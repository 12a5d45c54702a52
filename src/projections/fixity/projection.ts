import { events } from '../../domain/fixity/events.ts'
import { category, itemOf } from '../../domain/fixity/item.ts'
import { type Policy, category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { views } from '../../domain/fixity/views.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { projection } from '../runtime/projection.ts'
import { endOfRun, noteDecision } from './decision-rows.ts'
import { changeFreedItem, changeItem, freshRun, indexEntry, ownIndex } from './item-rows.ts'

/** One projection for all views of fixity, so that they always show the same moment. */
export const fixity = projection(
  {
    name: 'fixity',
    version: 2,
    description: 'Items, checks under way, bit log, resolutions and stores.',
    views,
  },
  (on) => [
    on(category, events, {
      ContentRecorded: (data, event, tables) => {
        changeItem(tables, event, (row) => ({
          outcome: null,
          removed: 0,
          size: data.size ?? null,
          checksums: data.checksums,
          ...ownIndex(row, indexEntry(data)),
          recordedFrom: data.recordedFrom,
          recordedAt: data.at,
          row: null,
          because: null,
          lateAfter: data.dueAt,
          ...freshRun(data.dueAt, 'low'),
        }))
      },
      ContentRemoved: (data, event, tables) =>
        changeItem(tables, event, (row) => ({
          removed: 1,
          // Content found without a record is not known to be there any more.
          outcome: row.recordedAt === null ? null : row.outcome,
          ...ownIndex(row, null),
          lateAfter: null,
          ...freshRun(data.dueAt, 'low'),
        })),

      CheckRequested: ({ dueAt, queue }, event, tables) =>
        changeItem(tables, event, () => freshRun(dueAt, queue)),
      CheckRevived: ({ dueAt }, event, tables) => changeItem(tables, event, () => freshRun(dueAt, 'high')),

      CheckClaimed: ({ holder, fence, deadline }, event, tables) => {
        const { store, path } = changeItem(tables, event, () => ({ heldUntil: deadline }))
        tables['fixity-claims'].put({ store, path, holder, fence, since: event.recordedAt, deadline })
      },
      ClaimExtended: ({ deadline }, event, tables) => {
        const { store, path } = changeItem(tables, event, () => ({ heldUntil: deadline }))
        const claim = tables['fixity-claims'].get(store, path)
        if (claim) tables['fixity-claims'].put({ ...claim, deadline })
      },
      ClaimReleased: (_, event, tables) => changeFreedItem(tables, event),
      ClaimExpired: (_, event, tables) => changeFreedItem(tables, event),

      AttemptFailed: (data, event, tables) =>
        changeFreedItem(tables, event, ({ attempts }) => ({
          attempts: attempts + 1,
          because: data.error,
          due: data.dueAt,
        })),
      CheckParked: (data, event, tables) =>
        changeFreedItem(tables, event, () => ({ ...endOfRun, parked: 1, because: data.error, due: null })),

      FixityDecided: (data, event, tables) => noteDecision(tables, event, data),

      ResolutionOpened: (data, event, tables) =>
        tables['fixity-resolutions'].put({
          ...itemOf(idOf(event.stream)),
          resolution: data.resolution,
          class: data.class,
          row: data.row,
          status: 'open',
          summary: data.summary,
          openedAt: data.at,
          closedAt: null,
          how: null,
          actor: null,
          reason: null,
        }),
      ResolutionClosed: ({ resolution, at, how, reason }, event, tables) => {
        const { store, path } = itemOf(idOf(event.stream))
        const row = tables['fixity-resolutions'].get(store, path, resolution)
        const { actor } = event.metadata
        if (row)
          tables['fixity-resolutions'].put({ ...row, status: 'closed', closedAt: at, how, actor, reason })
      },

      IndexRecorded: (data, event, tables) =>
        changeItem(tables, event, () => ({ indexed: indexEntry(data), indexedBy: 'outside' })),
      IndexRemoved: (_, event, tables) =>
        changeItem(tables, event, () => ({ indexed: null, indexedBy: 'outside' })),
      IndexCorrected: (data, event, tables) =>
        changeItem(tables, event, ({ indexedBy }) => ({
          indexed: indexEntry(data),
          indexedBy: indexedBy ?? 'own',
        })),
      IndexEntryRemoved: (_, event, tables) => changeItem(tables, event, () => ({ indexed: null })),
      AuditSupplemented: ({ checksums }, event, tables) =>
        changeItem(tables, event, ({ recordedAt, removed, checksums: known }) =>
          // Only a record can be supplemented, not an observer's word in its place.
          recordedAt === null || removed === 1 ? {} : { checksums: [...known, ...checksums] },
        ),
    }),

    on(storeCategory, storeEvents, {
      StoreRegistered: ({ kind, root, policy, at }, event, tables) =>
        tables['fixity-stores'].put({
          store: idOf(event.stream),
          kind,
          root: root ?? null,
          ...rules(policy),
          registeredAt: at,
        }),
      PolicyChanged: ({ policy }, event, tables) => {
        const row = tables['fixity-stores'].get(idOf(event.stream))
        if (row) tables['fixity-stores'].put({ ...row, ...rules(policy) })
      },
    }),
  ],
)

const rules = ({ intervalDays, lagSeconds, replica }: Policy) => ({
  intervalDays,
  lagSeconds,
  replica: replica ? 1 : 0,
})
