import type { ConditionOn } from '../kernel/read-views.ts'
import type { RowOf } from '../kernel/view.ts'
import type { IntactGroup, IntactItem } from './batch/events.ts'
import type { Checksum } from './checksum.ts'
import { itemId } from './item.ts'
import type { ContentObservation, StorageObservation } from './messages.ts'
import { nextDue } from './schedule.ts'
import type { Policy } from './store/events.ts'
import { verdict } from './verdict.ts'
import type { items } from './views.ts'

type ItemRow = RowOf<typeof items>

/**
 * Conditions for checking an item in a batch: it has a record, nothing is open or under way, and its own stream decides
 * no check. All other checks are decided on the item's own stream.
 */
export const atRest = [
  { column: 'recordedAt', is: '!=', value: null },
  { column: 'removed', is: '=', value: 0 },
  { column: 'parked', is: '=', value: 0 },
  { column: 'ownRun', is: '=', value: 0 },
  { column: 'attempts', is: '=', value: 0 },
  { column: 'heldUntil', is: '=', value: null },
  { column: 'open', is: '=', value: 0 },
  { column: 'suspect', is: '=', value: 0 },
  { column: 'failedOn', is: '=', value: null },
  { column: 'unusable', is: '=', value: 0 },
  { column: 'link', is: '=', value: 0 },
  { column: 'indexedBy', is: '!=', value: 'outside' },
] as const satisfies readonly ConditionOn<typeof items>[]

type RestColumn = (typeof atRest)[number]['column']
export const restColumns: readonly RestColumn[] = atRest.map(({ column }) => column)

/** Evaluates `atRest` on a row that was read. */
export const isAtRest = (row: Pick<ItemRow, RestColumn>): boolean =>
  atRest.every(({ column, is, value }) => (row[column] === value) === (is === '='))

/** The record of an item. */
export const recordColumns = [
  'store',
  'path',
  'revision',
  'size',
  'checksums',
  'indexed',
] as const satisfies readonly (keyof ItemRow)[]
export type RecordedRow = Pick<ItemRow, (typeof recordColumns)[number]>

/** A worker's observation of an item. */
export interface ItemObservation {
  readonly content: ContentObservation
  readonly storage: StorageObservation
  readonly observedAt: string
}

/**
 * Returns the entry of an item at rest that is as recorded. Undefined if any other decision is due: it is made on the
 * item's own stream. The verdict is that of any other check, from the record in the row.
 */
export const intactBy = (
  row: RecordedRow,
  { content, storage, observedAt }: ItemObservation,
  policy: Policy,
): { readonly group: Omit<IntactGroup, 'items'>; readonly item: IntactItem } | undefined => {
  if (content.status !== 'read' || storage.status !== 'present') return undefined
  const { version, versionId, modifiedAt, size, isLink, checksums: claimed } = storage
  if (isLink === true || size !== content.size) return undefined
  const claims = byAlgorithm(claimed)
  if (claims && Object.keys(claims).length < claimed.length) return undefined
  if (version === undefined || modifiedAt === undefined) return undefined
  const { indexed, path, revision } = row
  const decision = verdict(
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
  if (decision.outcome !== 'success' || decision.followUps.length > 0) return undefined
  const { pattern, because } = decision
  const dueAt = nextDue(observedAt, policy.intervalDays, `${itemId(row)}@${observedAt}`)
  const checksums = byAlgorithm(content.checksums) ?? {}
  return {
    group: { pattern, row: decision.row, because },
    item: {
      ...{ path, revision, size, checksums, version, modifiedAt, observedAt, dueAt },
      ...(claims && { claims }),
      ...(versionId !== undefined && { versionId }),
    },
  }
}

const byAlgorithm = (checksums: readonly Checksum[]): Readonly<Record<string, string>> | undefined =>
  checksums.length === 0
    ? undefined
    : Object.fromEntries(checksums.map(({ algorithm, value }) => [algorithm, value]))
