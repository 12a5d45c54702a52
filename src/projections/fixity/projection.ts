import type { Checksum } from '../../domain/fixity/checksum.ts'
import { type Evidence, events } from '../../domain/fixity/events.ts'
import { category, itemOf } from '../../domain/fixity/item.ts'
import { type Policy, category as storeCategory, storeEvents } from '../../domain/fixity/store/events.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { projection, type RowOf, type TableOf, type TablesOf } from '../runtime/projection.ts'
import { bitLog, claims, contentIndex, items, resolutions, stores } from './views.ts'

type ItemRow = RowOf<typeof items>

const views = [items, claims, bitLog, resolutions, contentIndex, stores] as const
type FixityTables = TablesOf<typeof views>

/** All views of fixity in one fold, so that they always speak of the same moment. */
export const fixity = projection(
  {
    name: 'fixity',
    version: 1,
    description: 'Items, checks under way, bit log, resolutions, content index and stores.',
    views,
  },
  (on) => [
    on(category, events, {
      ContentRecorded: (data, event, tables) => {
        const { store, path } = itemOf(idOf(event.stream))
        change(tables, event, {
          state: 'unchecked',
          removed: 0,
          parked: 0,
          size: data.size ?? null,
          checksums: data.checksums,
          recordedFrom: data.recordedFrom,
          recordedAt: data.at,
          attempts: 0,
          row: null,
          because: null,
          lateAfter: data.dueAt,
          ...waitingBehindClaim(tables, event, data.dueAt, 'low'),
        })
        tables['fixity-index'].put({
          store,
          path,
          checksums: data.checksums,
          size: data.size ?? null,
          at: data.at,
        })
      },
      ContentRemoved: (data, event, tables) =>
        change(tables, event, {
          removed: 1,
          attempts: 0,
          lateAfter: null,
          ...waitingBehindClaim(tables, event, data.dueAt, 'low'),
        }),

      CheckRequested: (data, event, tables) =>
        change(tables, event, {
          attempts: 0,
          ...waitingBehindClaim(tables, event, data.dueAt, data.queue),
        }),
      CheckRevived: (data, event, tables) =>
        change(tables, event, { parked: 0, attempts: 0, ...waiting(data.dueAt, 'high') }),

      CheckClaimed: (data, event, tables) => {
        const { store, path } = itemOf(idOf(event.stream))
        const { holder, fence, deadline } = data
        tables['fixity-claims'].put({ store, path, holder, fence, since: event.recordedAt, deadline })
        change(tables, event, { available: deadline })
      },
      ClaimExtended: ({ deadline }, event, tables) => {
        const { store, path } = itemOf(idOf(event.stream))
        const claim = tables['fixity-claims'].get(store, path)
        if (claim) tables['fixity-claims'].put({ ...claim, deadline })
        change(tables, event, { available: deadline })
      },
      ClaimReleased: (_, event, tables) => freed(tables, event),
      ClaimExpired: (_, event, tables) => freed(tables, event),

      AttemptFailed: (data, event, tables) => {
        unclaim(tables, event)
        const row = rowOf(tables, event)
        change(tables, event, {
          attempts: (row.attempts ?? 0) + 1,
          because: data.error,
          ...waiting(data.dueAt, row.queue ?? 'low'),
        })
      },
      CheckParked: (data, event, tables) => {
        unclaim(tables, event)
        change(tables, event, { parked: 1, because: data.error, ...waiting(null, 'low') })
      },

      FixityDecided: (data, event, tables) => {
        unclaim(tables, event)
        const row = rowOf(tables, event)
        const said = { row: data.row, because: data.because }
        if (data.outcome === 'retry' || data.outcome === 'deferred')
          return change(tables, event, {
            ...said,
            attempts: (row.attempts ?? 0) + (data.outcome === 'retry' ? 1 : 0),
            ...waiting(data.dueAt, row.queue ?? 'low'),
          })
        change(tables, event, {
          ...said,
          state: data.outcome === 'nothing' ? row.state : stateOf[data.outcome],
          parked: 0,
          attempts: 0,
          lastChecked: data.observedAt,
          lastVerified: data.outcome === 'success' ? data.observedAt : row.lastVerified,
          lateAfter: data.dueAt,
          ...waiting(data.dueAt, 'low'),
        })
        if (data.outcome === 'nothing') return
        tables['fixity-bit-log'].put({
          store: row.store,
          path: row.path,
          position: Number(event.position),
          at: data.observedAt,
          result: data.outcome.toUpperCase(),
          row: data.row,
          pattern: data.pattern,
          recorded: recordedText(data.evidence.audit),
          found: foundText(data.evidence.content),
          because: data.because,
        })
      },

      ResolutionOpened: (data, event, { 'fixity-resolutions': table }) =>
        table.put({
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
      ResolutionClosed: (data, event, { 'fixity-resolutions': table }) => {
        const { store, path } = itemOf(idOf(event.stream))
        const row = table.get(store, path, data.resolution)
        if (!row) return
        table.put({
          ...row,
          status: 'closed',
          closedAt: data.at,
          how: data.how,
          actor: event.metadata.actor,
          reason: data.reason,
        })
      },

      IndexRecorded: (data, event, { 'fixity-index': index }) =>
        index.put({
          ...itemOf(idOf(event.stream)),
          checksums: data.checksums,
          size: data.size ?? null,
          at: data.at,
        }),
      IndexCorrected: (data, event, { 'fixity-index': index }) =>
        index.put({
          ...itemOf(idOf(event.stream)),
          checksums: data.checksums,
          size: data.size ?? null,
          at: data.at,
        }),
      IndexRemoved: (_, event, { 'fixity-index': index }) => dropEntry(index, event),
      IndexEntryRemoved: (_, event, { 'fixity-index': index }) => dropEntry(index, event),
      AuditSupplemented: (data, event, tables) => {
        const known = rowOf(tables, event).checksums as readonly Checksum[]
        change(tables, event, { checksums: [...known, ...data.checksums] })
      },
    }),

    on(storeCategory, storeEvents, {
      StoreRegistered: (data, event, { 'fixity-stores': table }) =>
        table.put({
          store: idOf(event.stream),
          kind: data.kind,
          root: data.root ?? null,
          ...rules(data.policy),
          registeredAt: data.at,
        }),
      PolicyChanged: (data, event, { 'fixity-stores': table }) => {
        const row = table.get(idOf(event.stream))
        if (row) table.put({ ...row, ...rules(data.policy) })
      },
    }),
  ],
)

const stateOf = { success: 'verified', failure: 'failed', unverified: 'unverified' } as const

/** The columns that say when, and in which queue, a worker may claim the item. */
const waiting = (dueAt: string | null, queue: string) => ({ due: dueAt, available: dueAt, queue }) as const

/** A claim that goes on while something new is due: nobody else may have the item before it ends. */
const waitingBehindClaim = (tables: FixityTables, event: RecordedEvent, dueAt: string, queue: string) => {
  const { store, path } = itemOf(idOf(event.stream))
  const deadline = tables['fixity-claims'].get(store, path)?.deadline
  return { ...waiting(dueAt, queue), available: deadline && deadline > dueAt ? deadline : dueAt }
}

const unclaim = (tables: FixityTables, event: RecordedEvent): void => {
  const { store, path } = itemOf(idOf(event.stream))
  tables['fixity-claims'].delete(store, path)
}

const freed = (tables: FixityTables, event: RecordedEvent): void => {
  unclaim(tables, event)
  const { due, queue } = rowOf(tables, event)
  change(tables, event, waiting(due, queue ?? 'low'))
}

const change = (tables: FixityTables, event: RecordedEvent, to: Partial<ItemRow>): void =>
  tables['fixity-items'].put({ ...rowOf(tables, event), ...to })

const rowOf = (tables: FixityTables, event: RecordedEvent): ItemRow => {
  const { store, path } = itemOf(idOf(event.stream))
  return tables['fixity-items'].get(store, path) ?? unknownItem(store, path)
}

/** An item of which only an outside index or observer has spoken so far: nothing is expected of it yet. */
const unknownItem = (store: string, path: string): ItemRow => ({
  store,
  path,
  folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  state: 'unchecked',
  removed: 0,
  parked: 0,
  size: null,
  checksums: [],
  recordedFrom: null,
  recordedAt: null,
  lastChecked: null,
  lastVerified: null,
  due: null,
  lateAfter: null,
  queue: 'low',
  available: null,
  attempts: 0,
  row: null,
  because: null,
})

const dropEntry = (index: TableOf<typeof contentIndex>, event: RecordedEvent): void => {
  const { store, path } = itemOf(idOf(event.stream))
  index.delete(store, path)
}

const rules = (policy: Policy) => ({
  intervalDays: policy.intervalDays,
  lagSeconds: policy.lagSeconds,
  replica: policy.replica ? 1 : 0,
})

const digests = (checksums: readonly Checksum[]): string =>
  checksums.map(({ algorithm, value }) => `${algorithm}:${value}`).join(' ')

const recordedText = (audit: Evidence['audit']): string =>
  audit.status === 'recorded' ? digests(audit.checksums) || 'no checksum' : audit.status

const foundText = (content: Evidence['content']): string =>
  content.status === 'read' ? digests(content.checksums) : content.status
