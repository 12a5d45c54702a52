import { hostname } from 'node:os'
import { v7 as uuid } from 'uuid'
import { orThrow } from '../../../async/unavailable.ts'
import { comparisonDecider } from '../../../domain/fixity/comparison/decide.ts'
import { comparisonStream } from '../../../domain/fixity/comparison/events.ts'
import { hasBudget } from '../../../domain/fixity/due/budgets.ts'
import { defaultCompareHours } from '../../../domain/fixity/store/events.ts'
import { comparisons, stores } from '../../../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { addMillis, HOUR, MINUTE, SECOND } from '../../../domain/kernel/time.ts'
import type { RowOf } from '../../../domain/kernel/view.ts'
import { namesAreUsedUp, standing } from '../../../projections/fixity/questions/standing-differences.ts'
import { findStore } from '../../../workers/fixity/find-store.ts'
import { createHashPool } from '../../../workers/fixity/hash-pool.ts'
import { throttleTo } from '../../../workers/fixity/throttle.ts'
import { judgeBags } from '../bags/judge-bags.ts'
import type { FixityContext } from '../context.ts'
import { viewsAreCurrent } from '../current-views.ts'
import { pollWhileLeading } from '../poll-while-leading.ts'
import { compareStore } from './compare-store.ts'
import { takeIn } from './take-in.ts'

/** A command that needs a leader for a moment begins no comparison. */
const pollMillis = 20 * SECOND
/** A store that is away here, or cannot be listed, is looked for again after this time. */
const againMillis = 8 * MINUTE
/** A store is compared ahead of its time after this one at the earliest. */
const earlyMillis = HOUR

type StoreRow = RowOf<typeof stores>

/**
 * By store, when this process compared it last, as a comparison that found nothing else writes no event; and before when
 * it does not try again.
 */
export type Tried = Map<string, { readonly at: string; readonly notBefore: string }>

/** Compares the stores whose policy says so with their records, one after the other, as long as this process leads. */
export const startComparing = (
  context: FixityContext,
  term: { readonly isLeader: () => boolean },
): { stop(): Promise<void> } => {
  const tried: Tried = new Map()
  const { isLeader } = term
  return pollWhileLeading({ clock: context.clock, pollMillis, isLeader }, (signal) =>
    compareDue(context, tried, { signal, isLeader }),
  )
}

/** Compares what is due now. Never rejects: what fails is logged, and tried again. */
export const compareDue = async (
  context: FixityContext,
  tried: Tried,
  { signal, isLeader }: { readonly signal: AbortSignal; readonly isLeader: () => boolean },
): Promise<void> => {
  const { viewStore, clock, log } = context
  if (!viewStore.shape(comparisons.name)) return
  for (const row of rowsIfFolded(viewStore, stores, { where: [is('kind', 'folder')] })) {
    if (signal.aborted || !isLeader()) return
    const { store } = row
    const lastOne = () => rowsIfFolded(viewStore, comparisons, { where: [is('store', store)] })[0]
    const now = clock.now()
    if (!isDue(viewStore, row, lastOne(), tried.get(store), now)) continue
    try {
      // Views that lag still have the requests that the last comparison answered.
      await viewsAreCurrent(context, signal)
      const last = lastOne()
      if (!isDue(viewStore, row, last, tried.get(store), now)) continue
      await compare(context, row, last, signal, isLeader)
      tried.set(store, { at: now, notBefore: now })
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error, store }, 'the store could not be compared with its record; trying again')
      tried.set(store, { at: tried.get(store)?.at ?? '', notBefore: addMillis(now, againMillis) })
    }
  }
}

type Known = FixityContext['viewStore']
type ComparisonRow = RowOf<typeof comparisons>

const hoursOf = ({ compareHours }: StoreRow): number => compareHours ?? defaultCompareHours

const isDue = (
  views: Known,
  row: StoreRow,
  last: ComparisonRow | undefined,
  tried: { readonly at: string; readonly notBefore: string } | undefined,
  now: string,
): boolean => {
  // After a clock was set back, times of the log and of earlier tries may lie ahead: they say nothing.
  if (tried && now < tried.notBefore && tried.notBefore <= addMillis(now, againMillis)) return false
  // A request stays until a comparison has answered it; the clock of who asked may differ.
  if (last && last.requests.length > 0) return true
  // A view that an older program folded has no such column.
  if (!row.newFiles) return false
  const latest = [last?.comparedAt ?? '', tried?.at ?? '']
    .filter((at) => at <= now)
    .sort()
    .at(-1)
  if (!latest || addMillis(latest, hoursOf(row) * HOUR) <= now) return true
  // All that it named was settled since: only a listing names the others.
  return addMillis(latest, earlyMillis) <= now && last !== undefined && namesAreUsedUp(standing(views, last))
}

const compare = async (
  context: FixityContext,
  { store, root, newFiles }: StoreRow,
  last: ComparisonRow | undefined,
  signal: AbortSignal,
  isLeader: () => boolean,
): Promise<void> => {
  const { clock, viewStore, config, contentStoreModule, contentSettings } = context
  if (root === null || store === null) return
  const found = await findStore(context, store, root)
  // The workers tell that it is away.
  if (!found.isThere) throw new Error(`it is not found here: ${found.why}`)
  const where = { store, root, content: found.content }
  const listedAt = clock.now()
  const throttle = throttleTo(config.bytesPerSecond)
  const pool = createHashPool({ threads: 1, contentStoreModule, contentSettings, throttle })
  try {
    const { differences, fresh, bags } = await compareStore(context, where, pool, signal)
    // A store that went away in the middle misses nothing.
    if (differences.missing + differences.moved > 0) {
      const still = await findStore(context, store, root)
      if (!still.isThere) throw new Error(`it went away while it was listed: ${still.why}`)
    }
    const requests = last?.requests ?? []
    const wanted = {
      fresh,
      asked: requests,
      // First readings of a store with a byte budget are for a person to ask for.
      isByItself: newFiles === 'take-in' && !hasBudget(viewStore, store),
    }
    if (!isLeader()) return
    const takenIn = await takeIn(context, where, wanted, { pool, signal })
    const actor = `fixity@${hostname()}`
    await judgeBags(context, { store, prefix: '', listed: bags, listedAt, actor })
    const command = {
      ...({ type: 'NoteComparison', store, differences, newFiles: newFiles ?? 'ask', takenIn } as const),
      ...{ answered: requests, actor, at: clock.now() },
    }
    const stream = comparisonStream(store)
    const causationId = uuid()
    await orThrow(
      () => context.execute(comparisonDecider, { stream, command, causationId, correlationId: causationId }),
      `the comparison of store ${store}`,
    )
  } finally {
    await pool.close()
  }
}
