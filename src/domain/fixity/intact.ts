import type { RowOf } from '../kernel/view.ts'
import type { IntactGroup, IntactItem } from './batch/events.ts'
import { itemId } from './item.ts'
import type { ContentObservation, StorageObservation } from './messages.ts'
import { nextDue } from './schedule.ts'
import type { Policy } from './store/events.ts'
import { verdict } from './verdict.ts'
import type { items } from './views.ts'

type ItemRow = RowOf<typeof items>

/** What of an item's row says whether it is at rest. */
export const restColumns = [
  'recordedAt',
  'removed',
  'parked',
  'ownRun',
  'attempts',
  'heldUntil',
  'open',
  'suspect',
  'failedOn',
  'unusable',
  'link',
  'indexedBy',
] as const satisfies readonly (keyof ItemRow)[]

/** The record of an item, beside. */
export const intactColumns = [
  ...restColumns,
  'store',
  'path',
  'revision',
  'size',
  'checksums',
  'indexed',
] as const satisfies readonly (keyof ItemRow)[]
export type RecordedRow = Pick<ItemRow, (typeof intactColumns)[number]>

/** What a worker saw of an item. */
export interface Look {
  readonly content: ContentObservation
  readonly storage: StorageObservation
  readonly observedAt: string
}

/**
 * Whether it may be checked in a batch: there is a record, nothing is open or under way, and its own stream says so. All else is
 * decided on its own stream.
 */
export const isAtRest = (row: Pick<ItemRow, (typeof restColumns)[number]>): boolean =>
  row.recordedAt !== null &&
  row.removed === 0 &&
  row.parked === 0 &&
  row.ownRun === 0 &&
  row.attempts === 0 &&
  row.heldUntil === null &&
  row.open === 0 &&
  row.suspect === 0 &&
  row.failedOn === null &&
  row.unusable === 0 &&
  row.link === 0 &&
  row.indexedBy !== 'outside'

/**
 * The entry of an item that is as recorded. Undefined where anything but that is to be decided: on its own stream. A verdict as
 * of any other check, from the record that the row shows.
 */
export const intactBy = (
  row: RecordedRow,
  { content, storage, observedAt }: Look,
  policy: Policy,
): { readonly group: Omit<IntactGroup, 'items'>; readonly item: IntactItem } | undefined => {
  if (!isAtRest(row) || content.status !== 'read' || storage.status !== 'present') return undefined
  const { version, modifiedAt, size, isLink, checksums: claims } = storage
  if (isLink !== false || size !== content.size || claims.length > 0) return undefined
  if (version === undefined || modifiedAt === undefined) return undefined
  const { indexed, path, revision } = row
  const said = verdict(
    {
      content,
      storage,
      index: indexed
        ? { status: 'recorded', ...indexed, checksums: [...indexed.checksums] }
        : { status: 'absent' },
      audit: {
        status: 'recorded',
        checksums: [...row.checksums],
        ...(row.size !== null && { size: row.size }),
      },
    },
    'first',
    policy,
  )
  if (said.outcome !== 'success' || said.followUps.length > 0) return undefined
  const { pattern, because } = said
  const dueAt = nextDue(observedAt, policy.intervalDays, `${itemId(row)}@${observedAt}`)
  const checksums = Object.fromEntries(content.checksums.map(({ algorithm, value }) => [algorithm, value]))
  return {
    group: { pattern, row: said.row, because },
    item: { path, revision, size, checksums, version, modifiedAt, observedAt, dueAt },
  }
}
