import { v7 as uuid } from 'uuid'
import type { BatchTask } from '../../domain/fixity/check-task.ts'
import { budgetOf, fitting } from '../../domain/fixity/due/budgets.ts'
import type { DueRow } from '../../domain/fixity/due/requested.ts'
import { batches, hasUnread, items } from '../../domain/fixity/views.ts'
import { is, narrowRows, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { claim, claimed, claimTerms, type Offered } from '../runtime/claim.ts'
import { partOfSlot, type TakeLimits } from './batch-sizes.ts'
import { batchTask, type ClaimDependencies, unlessAway } from './claims.ts'

const never = new AbortController().signal

/**
 * Claims the checks of items of one store in one event. If two batches have the same item, the first in the log has it,
 * as the views show once they have folded the claim. Lost if others had claimed them all. Throws `UnavailableError`.
 */
export const claimBatch = async (
  due: readonly DueRow[],
  limits: TakeLimits,
  deps: ClaimDependencies,
): Promise<Offered<BatchTask>> => {
  const { store } = due[0]!
  const batch = uuid()
  const where = batchTask(batch)
  const wanted = due.map(({ path, revision }) => ({ path, revision }))
  const granted = await claim(deps, where, { type: 'ClaimBatch', store, items: wanted, ...claimTerms(deps) })
  if (typeof granted === 'string') return granted
  const { reportFailure } = deps
  const held = (files: BatchTask['files']) =>
    claimed(deps, where, granted, { task: { batch, store, files }, reportFailure })
  const { release } = held([])

  try {
    await deps.viewsReach(granted.position, never)
  } catch (error) {
    await release('the views do not show the claim')
    throw error
  }
  const before = heldBefore(deps, store, granted.position)
  const now = rowsNow(deps, store, due)
  const free = due.filter((row) => !before.has(row.path) && isUnmoved(row, now.get(row.path)))
  // Others may have claimed at the same moment: the first in the log has the rest of the day's budget.
  const mine = fitting(
    deps.viewStore,
    store,
    budgetOf(deps.viewStore, store, {
      now: deps.clock.now(),
      before: granted.position,
      countsUnread: true,
    }),
    free,
  )
  if (mine.length === 0) {
    await release(
      free.length > 0 ? 'the byte budget of the day is used up' : 'others claimed all of it before',
    )
    return 'lost'
  }

  const files = mine.map(({ path, size, checksums, indexed }) => ({
    path,
    size: size ?? 0,
    checksums: [...checksums, ...(indexed?.checksums ?? [])],
    ...(now.get(path)?.unread === 1 && { mayBeArchived: true as const }),
  }))
  return {
    ...unlessAway(held(files), store, deps),
    concurrency: Math.ceil(mine.reduce((sum, row) => sum + partOfSlot(row, limits), 0) / limits.ofSlot),
    tasks: files.length,
  }
}

interface RowNow extends Pick<DueRow, 'path' | 'revision' | 'lastChecked'> {
  /** Absent in a view that an older program folded. */
  readonly unread?: number
}

const rowsNow = (
  { viewStore }: ClaimDependencies,
  store: string,
  due: readonly DueRow[],
): ReadonlyMap<string, RowNow> => {
  const columns = ['path', 'revision', 'lastChecked'] as const
  const more = hasUnread(viewStore.shape(items.name)) ? (['unread'] as const) : []
  const rows: readonly RowNow[] = narrowRows(viewStore, items, [...columns, ...more], {
    where: [is('store', store), { column: 'path', is: 'in', value: due.map(({ path }) => path) }],
  })
  return new Map(rows.map((row) => [row.path, row]))
}

/**
 * True for an item that is unchanged after the claim: no event in the item's own stream, no check in another batch since
 * it was chosen. The check of any other item is done, or is to be decided on its own stream.
 */
const isUnmoved = ({ revision, lastChecked }: DueRow, now: RowNow | undefined): boolean =>
  now?.revision === revision && now.lastChecked === lastChecked

/** Items held by others: what this worker held was known to it when it chose. */
const heldBefore = (
  { viewStore, worker }: ClaimDependencies,
  store: string,
  position: bigint,
): ReadonlySet<string> =>
  new Set(
    rowsIfFolded(viewStore, batches, {
      where: [
        is('store', store),
        { column: 'position', is: '<', value: Number(position) },
        { column: 'holder', is: '!=', value: worker },
      ],
    }).flatMap(({ paths }) => paths),
  )
