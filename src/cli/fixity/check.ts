import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import type { Condition } from '../../ports/view-store.ts'
import { startRoles } from '../../system/roles.ts'
import { settle } from '../../system/settle.ts'
import type { System } from '../../system/system.ts'
import { askCommand, Refused } from './ask.ts'

export interface CheckScope {
  readonly store?: string
  readonly prefix?: string
  readonly item?: string
}

export interface CheckSummary {
  /** Items in scope. */
  readonly total: number
  readonly checked: number
  readonly verified: number
  readonly failed: number
  readonly unverified: number
  readonly parked: number
  /** Wait for a last look, because a record may be under way. */
  readonly waiting: number
  /** When the last of them is due. */
  readonly waitingUntil: string | undefined
}

export interface CheckProgress {
  readonly done: number
  readonly total: number
}

/**
 * Asks for a check of everything in scope and works on it in this process, beside any other worker, until each item
 * has its verdict. `wait` stays for last looks that are due later.
 */
export const checkNow = async (
  system: System,
  scope: CheckScope,
  options: { readonly actor: string; readonly wait: boolean; readonly signal: AbortSignal },
  onProgress: (progress: CheckProgress) => void,
): Promise<CheckSummary> => {
  // What a worker claimed before the request came is checked as well as what it claims after.
  const asked = system.clock.now()
  const running = await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
  try {
    await settle(system)
    const stores = storesIn(system, scope)
    const by = { actor: options.actor, reason: 'fonds fixity check' }
    for (const store of stores)
      if (scope.item) await askCommand(system, 'fixity.check', { store, path: scope.item }, by)
      else await askCommand(system, 'fixity.check-store', { store, prefix: scope.prefix ?? '' }, by)
    await settle(system)
    const inScope = stores.map((store) => conditions(store, scope))
    const total = sum(inScope.map((where) => countOf(system, where)))
    for (;;) {
      const started = performance.now()
      const now = system.clock.now()
      const soon = addMillis(now, SECOND)
      const pending = inScope.flatMap((where) => pendingOf(system, where, soon))
      onProgress({ done: total - sum(pending.map(({ count }) => count)), total })
      if (!pending.some(({ due }) => options.wait || due <= soon)) break
      options.signal.throwIfAborted()
      // Looking takes longer in a large store: it must stay a small part of the work.
      await system.clock.sleep(Math.max(100, 10 * (performance.now() - started)), options.signal)
    }
    await settle(system)
    return summarise(system, inScope, asked, total)
  } finally {
    await running.stop()
  }
}

const storesIn = ({ viewStore }: System, scope: CheckScope): readonly string[] => {
  const known = viewStore.query('fixity-stores', {}).map((row) => row.store as string)
  if (known.length === 0) throw new Refused('no store is known yet; add one with `fonds fixity add <folder>`')
  if (scope.store && !known.includes(scope.store))
    throw new Refused(`there is no store ${scope.store}; there are ${known.join(', ')}`)
  if (scope.item && !scope.store && known.length > 1)
    throw new Refused(`--item needs --store: there are ${known.join(', ')}`)
  return scope.store ? [scope.store] : known
}

const conditions = (store: string, { prefix, item }: CheckScope): readonly Condition[] => [
  { column: 'store', is: '=', value: store },
  { column: 'removed', is: '=', value: 0 },
  ...(item ? [{ column: 'path', is: '=', value: item } as const] : []),
  ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
]

const countOf = ({ viewStore }: System, where: readonly Condition[]): number =>
  Number(viewStore.tally('fixity-items', { by: [], where })[0]?.count ?? 0)

/** Items whose check has not come to its end, by when it goes on. */
const pendingOf = (
  { viewStore }: System,
  where: readonly Condition[],
  soon: string,
): { due: string; count: number }[] => {
  const free: Condition = { column: 'heldUntil', is: '=', value: null }
  const low: Condition = { column: 'queue', is: '=', value: 'low' }
  const kinds: readonly (readonly Condition[])[] = [
    [{ column: 'heldUntil', is: '!=', value: null }],
    [free, { column: 'queue', is: '=', value: 'high' }, { column: 'available', is: '!=', value: null }],
    [free, low, { column: 'attempts', is: '>', value: 0 }, { column: 'available', is: '!=', value: null }],
    [free, low, { column: 'attempts', is: '=', value: 0 }, { column: 'available', is: '<=', value: soon }],
  ]
  return kinds.flatMap((kind) =>
    viewStore
      .tally('fixity-items', { by: ['due'], where: [...where, ...kind] })
      .map((row) => ({ due: row.due as string, count: Number(row.count) })),
  )
}

const summarise = (
  system: System,
  inScope: readonly (readonly Condition[])[],
  asked: string,
  total: number,
): CheckSummary => {
  const counts = { verified: 0, failed: 0, unverified: 0, unchecked: 0 }
  for (const where of inScope)
    for (const row of system.viewStore.tally('fixity-items', {
      by: ['state'],
      where: [...where, { column: 'lastChecked', is: '>=', value: asked }],
    }))
      counts[row.state as keyof typeof counts] += Number(row.count)
  const now = addMillis(system.clock.now(), SECOND)
  const pending = inScope.flatMap((where) => pendingOf(system, where, now))
  const parked = inScope.map((where) => countOf(system, [...where, { column: 'parked', is: '=', value: 1 }]))
  return {
    total,
    checked: counts.verified + counts.failed + counts.unverified,
    verified: counts.verified,
    failed: counts.failed,
    unverified: counts.unverified,
    parked: sum(parked),
    waiting: sum(pending.map(({ count }) => count)),
    waitingUntil: pending
      .map(({ due }) => due)
      .sort()
      .at(-1),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
