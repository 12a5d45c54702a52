import type { Checksum } from '../../domain/fixity/checksum.ts'
import { type Evidence, events } from '../../domain/fixity/events.ts'
import { category, itemOf } from '../../domain/fixity/item.ts'
import { type Policy, category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import { projection } from '../runtime/projection.ts'
import { changeFreedItem, changeItem, type ItemRow, views, waiting, waitingBehindClaim } from './item-rows.ts'

/** All views of fixity in one fold, so that they always speak of the same moment. */
export const fixity = projection(
  {
    name: 'fixity',
    version: 1,
    description: 'Items, checks under way, bit log, resolutions and stores.',
    views,
  },
  (on) => [
    on(category, events, {
      ContentRecorded: (data, event, tables) => {
        const { checksums } = data
        changeItem(tables, event, (row) => ({
          state: 'unchecked',
          removed: 0,
          parked: 0,
          size: data.size ?? null,
          checksums,
          indexed: indexEntry(data),
          recordedFrom: data.recordedFrom,
          recordedAt: data.at,
          attempts: 0,
          row: null,
          because: null,
          lateAfter: data.dueAt,
          ...waitingBehindClaim(row, data.dueAt, 'low'),
        }))
      },
      ContentRemoved: (data, event, tables) =>
        changeItem(tables, event, (row) => ({
          removed: 1,
          attempts: 0,
          lateAfter: null,
          ...waitingBehindClaim(row, data.dueAt, 'low'),
        })),

      CheckRequested: ({ dueAt, queue }, event, tables) =>
        changeItem(tables, event, (row) => ({ attempts: 0, ...waitingBehindClaim(row, dueAt, queue) })),
      CheckRevived: ({ dueAt }, event, tables) =>
        changeItem(tables, event, () => ({ parked: 0, attempts: 0, ...waiting(dueAt, 'high') })),

      CheckClaimed: ({ holder, fence, deadline }, event, tables) => {
        const held = { available: deadline, heldUntil: deadline }
        const { store, path } = changeItem(tables, event, () => held)
        tables['fixity-claims'].put({ store, path, holder, fence, since: event.recordedAt, deadline })
      },
      ClaimExtended: ({ deadline }, event, tables) => {
        const held = { available: deadline, heldUntil: deadline }
        const { store, path } = changeItem(tables, event, () => held)
        const claim = tables['fixity-claims'].get(store, path)
        if (claim) tables['fixity-claims'].put({ ...claim, deadline })
      },
      ClaimReleased: (_, event, tables) => changeFreedItem(tables, event, waitingAsBefore),
      ClaimExpired: (_, event, tables) => changeFreedItem(tables, event, waitingAsBefore),

      AttemptFailed: (data, event, tables) =>
        changeFreedItem(tables, event, ({ attempts, queue }) => ({
          attempts: (attempts ?? 0) + 1,
          because: data.error,
          ...waiting(data.dueAt, queue ?? 'low'),
        })),
      CheckParked: (data, event, tables) =>
        changeFreedItem(tables, event, () => ({ parked: 1, because: data.error, ...waiting(null, 'low') })),

      FixityDecided: (data, event, tables) => {
        const { outcome, row, because, dueAt, observedAt } = data
        const said = { row, because }
        if (outcome === 'retry' || outcome === 'deferred') {
          const used = outcome === 'retry' ? 1 : 0
          changeFreedItem(tables, event, ({ attempts, queue }) => ({
            ...said,
            attempts: (attempts ?? 0) + used,
            ...waiting(dueAt, queue ?? 'low'),
          }))
          return
        }
        const { store, path } = changeFreedItem(tables, event, ({ state, lastVerified }) => ({
          ...said,
          state: outcome === 'nothing' ? state : stateOf[outcome],
          parked: 0,
          attempts: 0,
          lastChecked: observedAt,
          lastVerified: outcome === 'success' ? observedAt : lastVerified,
          lateAfter: dueAt,
          ...waiting(dueAt, 'low'),
        }))
        if (outcome === 'nothing') return
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
        changeItem(tables, event, () => ({ indexed: indexEntry(data) })),
      IndexCorrected: (data, event, tables) =>
        changeItem(tables, event, () => ({ indexed: indexEntry(data) })),
      IndexRemoved: (_, event, tables) => changeItem(tables, event, () => ({ indexed: null })),
      IndexEntryRemoved: (_, event, tables) => changeItem(tables, event, () => ({ indexed: null })),
      AuditSupplemented: ({ checksums }, event, tables) =>
        changeItem(tables, event, (row) => ({
          checksums: [...(row.checksums as readonly Checksum[]), ...checksums],
        })),
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

const stateOf = { success: 'verified', failure: 'failed', unverified: 'unverified' } as const

const indexEntry = ({ checksums, size }: { checksums: readonly Checksum[]; size?: number | undefined }) =>
  size === undefined ? { checksums } : { checksums, size }

const waitingAsBefore = ({ due, queue }: ItemRow) => waiting(due, queue ?? 'low')

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
