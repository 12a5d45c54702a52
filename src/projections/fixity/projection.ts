import type { Checksum } from '../../domain/fixity/checksum.ts'
import { type Evidence, events } from '../../domain/fixity/events.ts'
import { category, itemOf } from '../../domain/fixity/item.ts'
import { type Policy, category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { projection } from '../runtime/projection.ts'
import { changeFreedItem, changeItem, freshRun, indexEntry, ownIndex, views } from './item-rows.ts'

/** All views of fixity in one fold, so that they always speak of the same moment. */
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
          // What was found without a record is not known to be there any more.
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
          attempts: (attempts ?? 0) + 1,
          because: data.error,
          due: data.dueAt,
        })),
      CheckParked: (data, event, tables) =>
        changeFreedItem(tables, event, () => ({ ...endOfRun, parked: 1, because: data.error, due: null })),

      FixityDecided: (data, event, tables) => {
        const { outcome, row, because, dueAt, observedAt } = data
        const said = { row, because, due: dueAt, parked: 0 }
        if (outcome === 'retry' || outcome === 'deferred') {
          const used = outcome === 'retry' ? 1 : 0
          changeFreedItem(tables, event, ({ attempts }) => ({ ...said, attempts: (attempts ?? 0) + used }))
          return
        }
        const checked = { ...said, ...endOfRun, lastChecked: observedAt }
        if (outcome === 'nothing') {
          // An observer's word alone does not make up for content that is recorded: it stays expected, and grows late.
          changeFreedItem(tables, event, ({ recordedAt, removed }) => ({
            ...checked,
            ...(recordedAt === null ? { removed: 1, outcome: null } : { removed }),
          }))
          return
        }
        const { store, path } = changeFreedItem(tables, event, ({ lastVerified, recordedAt, removed }) => ({
          ...checked,
          outcome,
          // What is found without a record is there.
          removed: recordedAt === null ? 0 : removed,
          lastVerified: outcome === 'success' ? observedAt : lastVerified,
          lateAfter: dueAt,
        }))
        tables['fixity-bit-log'].put({
          store,
          path,
          position: Number(event.position),
          at: observedAt,
          result: outcome.toUpperCase(),
          row,
          pattern: data.pattern,
          recorded: recordedText(data.evidence.audit),
          found: foundText(data.evidence.content),
          because,
        })
      },

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
          recordedAt === null || removed === 1
            ? {}
            : { checksums: [...(known as readonly Checksum[]), ...checksums] },
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

const endOfRun = { attempts: 0, queue: 'low' } as const

const rules = ({ intervalDays, lagSeconds, replica }: Policy) => ({
  intervalDays,
  lagSeconds,
  replica: replica ? 1 : 0,
})

const digests = (checksums: readonly Checksum[]): string =>
  checksums.map(({ algorithm, value }) => `${algorithm}:${value}`).join(' ')

const recordedText = (audit: Evidence['audit']): string =>
  audit.status === 'recorded' ? digests(audit.checksums) || 'no checksum' : audit.status

const foundText = (content: Evidence['content']): string =>
  content.status === 'read' ? digests(content.checksums) : content.status
