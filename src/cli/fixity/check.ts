import { observationsTopic } from '../../domain/fixity/messages.ts'
import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import { Away } from '../../ports/away.ts'
import type { Condition, Row } from '../../ports/view-store.ts'
import { startRoles } from '../../system/roles.ts'
import { settle } from '../../system/settle.ts'
import type { System } from '../../system/system.ts'
import { askCommand, Refused } from '../ask-command.ts'

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
    const total = countOf(system, inScope)
    for (;;) {
      const started = performance.now()
      const soon = addMillis(system.clock.now(), SECOND)
      onProgress({ done: total - pending(system, inScope, soon), total })
      const awaited: readonly Condition[] = options.wait ? [] : [{ column: 'due', is: '<=', value: soon }]
      if (pending(system, inScope, soon, awaited) === 0) break
      options.signal.throwIfAborted()
      const stopped = running.projections?.status().find(({ state }) => state === 'failed')
      if (stopped) throw new Away(stopped.lastError ?? `the views of ${stopped.projection} stand still`)
      // Looking takes longer in a large store: it must stay a small part of the work.
      await system.clock.sleep(Math.max(100, 10 * (performance.now() - started)), options.signal)
    }
    await settle(system)
    return summarise(system, inScope, asked, total)
  } finally {
    // What is still under way was not asked for here: it is given back at once.
    await running.stop(0)
  }
}

/** The stores whose bytes can be read here. Throws `Refused` where a wanted one is none of them. */
const storesIn = ({ viewStore, openContent }: System, scope: CheckScope): readonly string[] => {
  const all = viewStore.query('fixity-stores', {})
  const folders = all.filter(({ kind }) => kind === 'folder')
  const names = (rows: readonly Row[]) => rows.map(({ store }) => store as string)
  const isKnown = names(all).includes(scope.store ?? '')
  if (folders.length === 0)
    throw new Refused('no folder store is known yet; add one with `fonds fixity add <folder>`')
  if (scope.store && !isKnown)
    throw new Refused(`there is no store ${scope.store}; there are ${names(all).join(', ')}`)
  if (scope.item && !scope.store && folders.length > 1)
    throw new Refused(`--item needs --store: there are ${names(folders).join(', ')}`)
  const wanted = folders.filter(({ store }) => !scope.store || store === scope.store)
  if (wanted.length === 0)
    throw new Refused(
      `store ${scope.store} is external: whoever reads it reports on the topic ${observationsTopic.name}`,
    )
  for (const { store, root } of wanted)
    try {
      openContent(root as string)
    } catch (error) {
      throw new Refused(`store ${store} cannot be read here: ${(error as Error).message}`)
    }
  return names(wanted)
}

const conditions = (store: string, { prefix, item }: CheckScope): readonly Condition[] => [
  { column: 'store', is: '=', value: store },
  { column: 'removed', is: '=', value: 0 },
  ...(item ? [{ column: 'path', is: '=', value: item } as const] : []),
  ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
]

type Scopes = readonly (readonly Condition[])[]

const countOf = ({ viewStore }: System, scopes: Scopes, ...more: readonly Condition[]): number =>
  sum(scopes.map((where) => tallied(viewStore.tally('fixity-items', { by: [], where: [...where, ...more] }))))

const tallied = (rows: readonly Row[]): number => Number(rows[0]?.count ?? 0)

const free: Condition = { column: 'heldUntil', is: '=', value: null }
const low: Condition = { column: 'queue', is: '=', value: 'low' }
const goesOn: Condition = { column: 'available', is: '!=', value: null }

/** The ways in which a check has not come to its end; an item is in one of them at most. */
const unfinished = (soon: string): Scopes => [
  [{ column: 'heldUntil', is: '!=', value: null }],
  [free, goesOn, { column: 'queue', is: '=', value: 'high' }],
  [free, goesOn, low, { column: 'attempts', is: '>', value: 0 }],
  [free, low, { column: 'attempts', is: '=', value: 0 }, { column: 'available', is: '<=', value: soon }],
]

const pending = (system: System, scopes: Scopes, soon: string, more: readonly Condition[] = []): number =>
  sum(unfinished(soon).map((kind) => countOf(system, scopes, ...kind, ...more)))

/** When the last of them is due. */
const lastDue = ({ viewStore }: System, scopes: Scopes, soon: string): string | undefined =>
  scopes
    .flatMap((where) =>
      unfinished(soon).flatMap((kind) =>
        viewStore.query('fixity-items', {
          where: [...where, ...kind],
          orderBy: [{ column: 'due', descending: true }],
          limit: 1,
        }),
      ),
    )
    .map((row) => row.due as string)
    .sort()
    .at(-1)

const summarise = (system: System, scopes: Scopes, asked: string, total: number): CheckSummary => {
  const soon = addMillis(system.clock.now(), SECOND)
  const seen: Condition = { column: 'lastChecked', is: '>=', value: asked }
  const of = (state: string) => countOf(system, scopes, seen, { column: 'state', is: '=', value: state })
  const counts = { verified: of('verified'), failed: of('failed'), unverified: of('unverified') }
  return {
    total,
    checked: counts.verified + counts.failed + counts.unverified,
    ...counts,
    parked: countOf(system, scopes, { column: 'parked', is: '=', value: 1 }),
    waiting: pending(system, scopes, soon),
    waitingUntil: lastDue(system, scopes, soon),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
