import { startRoles } from '../../app/roles.ts'
import { sealedActor } from '../../app/sealed-by.ts'
import type { System } from '../../app/system.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import type { State } from '../../domain/fixity/item-states.ts'
import { observationsTopic } from '../../domain/fixity/messages.ts'
import { items, stores } from '../../domain/fixity/views.ts'
import { is, rows, tally } from '../../domain/kernel/read-views.ts'
import { addMillis, SECOND } from '../../domain/kernel/time.ts'
import type { BucketInventory } from '../../ports/bucket-inventory.ts'
import type { BucketTotals } from '../../ports/bucket-totals.ts'
import { fixity } from '../../projections/fixity/projection.ts'
import { recordBucketUse } from '../../workflows/fixity/record-bucket-use.ts'
import type { ListedBy } from '../../workflows/fixity/recording/add-counts.ts'
import { askCommand, RejectedError } from '../ask-command.ts'
import { untilDone } from '../until-done.ts'
import { rolesHere } from '../work-here.ts'
import { type Attended, attend } from './attend.ts'
import { type AwayStore, awayStores, findStores } from './away.ts'
import { type EstimatedRequests, totalsSince } from './bucket-costs.ts'
import { type HeldBack, heldBackIn, heldBackStores } from './held-back.ts'
import { listedBy } from './inventory.ts'
import {
  countOf,
  type ItemCondition,
  isPending,
  lastDue,
  pending,
  type Scope,
  type Scopes,
} from './pending.ts'
import { throttled } from './throttled.ts'
import { type WrongItems, wrongItems } from './wrong-items.ts'

export interface CheckScope {
  readonly store?: string
  readonly prefix?: string
  readonly item?: string
  /** Patterns of files that are not reported as new. */
  readonly exclude?: readonly string[]
  /** Lists the bucket of `store`, in the place of its own listing. */
  readonly inventory?: BucketInventory | undefined
}

export interface CheckSummary extends Attended, WrongItems {
  /** Items in scope. */
  readonly total: number
  readonly checked: number
  readonly verified: number
  /** Found as at their first reading. */
  readonly baselined: number
  /** Not read: the records agree with what the storage reports. */
  readonly unread: number
  /** Found as a person accepted it, or declared it lost. */
  readonly accepted: number
  readonly lost: number
  readonly failed: number
  /** Found to differ from the record, and to be checked again: often a change in flight. */
  readonly suspect: number
  readonly unverified: number
  readonly parked: number
  /** Found behind a symbolic link, where an earlier observation saw a file. */
  readonly links: number
  /** With recorded checksums that cannot be compared. */
  readonly unusable: number
  /** Stores of which nothing is found here: none of their items, which `total` counts, was checked. */
  readonly away: readonly (AwayStore & { readonly items: number })[]
  /** Stores whose byte budget of the day is used up: these of their items, which `total` counts, were not checked. */
  readonly heldBack: readonly HeldBack[]
  /** Waiting for a last attempt, because a record may be in flight. */
  readonly waiting: number
  /** Time at which the last of them is due. */
  readonly waitingUntil: string | undefined
  /** Requests of this process to buckets meanwhile, and bytes; absent if it made none. */
  readonly buckets?: BucketTotals
  /** Estimate from before the check, as by `--estimate`; absent if no bucket is in scope. */
  readonly estimated?: EstimatedRequests
  /** Lists what is new and missing; absent: the stores themselves do. */
  readonly inventory?: ListedBy
}

interface CheckProgress {
  readonly done: number
  readonly total: number
}

/**
 * Requests a check of everything in scope and works on it in this process, beside any other worker, until each item has
 * its verdict. `wait` includes last attempts that are due later.
 */
export const checkNow = async (
  system: System,
  scope: CheckScope,
  given: { readonly actor: string; readonly wait: boolean; readonly signal: AbortSignal },
  onProgress: (progress: CheckProgress) => void,
): Promise<CheckSummary> => {
  const options = { ...given, actor: await sealedActor(system, given.actor) }
  // An item that was claimed before the request is checked as well.
  const asked = system.clock.now()
  const totalsBefore = system.adapters.fixity.bucketTotals()
  const say = (line: string) => system.log.warn(line)
  const running = await startRoles(
    system,
    await rolesHere({ say }, system, ['processors', 'reactions', 'projections']),
  )
  const requested = Promise.withResolvers<void>()
  try {
    // Items that are due anyway would be checked, and then again as requested.
    await running.startWorkers({ kind: 'fixity', opening: requested.promise })
    await waitUntilIdle(system)
    const wanted = storesIn(system, scope)
    await findStores(system, `fonds://check/${options.actor}`)
    const stores = readable(system, wanted)
    const by = { actor: options.actor, reason: 'fonds fixity check' }
    for (const store of stores)
      if (scope.item) await askCommand(system, 'fixity.check', { store, path: scope.item }, by)
      else await askCommand(system, 'fixity.check-store', { store, prefix: scope.prefix ?? '' }, by)
    await waitUntilIdle(system)
    requested.resolve()
    const inScope = wanted.map((store) => scopeIn(store, scope))
    const total = countOf(system, inScope)
    if (total === 0 && scope.prefix)
      throw new RejectedError(
        `nothing recorded is below ${scope.prefix}; paths are those of the store, without its root`,
      )
    const found = stores.map((store) => scopeIn(store, scope))
    const toCheck = stores.length === wanted.length ? total : countOf(system, found)
    const soon = () => addMillis(system.clock.now(), SECOND)
    // A store may become unavailable meanwhile.
    const there = () => readable(system, stores).map((store) => scopeIn(store, scope))
    const reportProgress = () =>
      onProgress({ done: toCheck - pending(system, there(), soon()), total: toCheck })
    const reportSometimes = throttled(system.clock, reportProgress)
    const announceOnce = announcer(say)
    const poll = () => {
      reportSometimes()
      const held = heldBackStores(system, readable(system, stores))
      if (options.wait) announceOnce(held)
      const awaited: readonly ItemCondition[] = options.wait
        ? []
        : [{ column: 'due', is: '<=', value: soon() }]
      const begun = options.wait
        ? there()
        : there().filter(({ store }) => held.every((one) => one.store !== store))
      return { isDone: !isPending(system, begun, soon(), ...awaited) }
    }
    // Rows that change while no worker is busy mostly show the last verdicts.
    const isIdle = () => running.workers.every(({ busy }) => busy() === 0)
    const onChange = (listener: () => void) =>
      running.onViewChange(() => isIdle() && listener(), [fixity.name])
    await untilDone(running, poll, { clock: system.clock, signal: options.signal, onChange })
    reportProgress()
    await waitUntilIdle(system)
    const away = awayStores(system)
      .filter(({ store }) => wanted.includes(store))
      .map((one) => ({ ...one, items: countOf(system, [scopeIn(one.store, scope)]) }))
    // The listing of one item alone would show nothing that its check does not.
    const listed = scope.item ? [] : readable(system, stores)
    const attended = await attend(system, listed, { ...scope, actor: options.actor }, options.signal)
    const buckets = totalsSince(totalsBefore, system.adapters.fixity.bucketTotals())
    if (buckets) {
      await recordBucketUse(system)
      await waitUntilIdle(system)
    }
    return {
      ...summarise(system, inScope, asked, total),
      ...attended,
      away,
      ...(buckets && { buckets }),
      ...(scope.inventory && listed.length > 0 && { inventory: listedBy(scope.inventory) }),
    }
  } finally {
    // The checks still under way were not requested here: their claims are released at once.
    await running.stop(0)
  }
}

/** Tells of each store and day once, for somebody who waits. */
const announcer = (say: (line: string) => void) => {
  const announced = new Set<string>()
  return (stores: readonly Omit<HeldBack, 'items'>[]): void => {
    for (const { store, goesOnAt } of stores) {
      const key = `${store} ${goesOnAt}`
      if (announced.has(key)) continue
      announced.add(key)
      say(`the byte budget of store ${store} is used up for today (UTC); its checks go on at ${goesOnAt}`)
    }
  }
}

const readable = (system: System, names: readonly string[]): readonly string[] => {
  const away = awayStores(system)
  return names.filter((name) => away.every(({ store }) => store !== name))
}

/** Returns the folder stores in scope. Throws `RejectedError` if there is none. */
export const storesIn = ({ viewStore }: Pick<System, 'viewStore'>, scope: CheckScope): readonly string[] => {
  const all = rows(viewStore, stores)
  const folders = all.filter(({ kind }) => kind === 'folder')
  const names = (some: typeof all) => some.map(({ store }) => store)
  const isKnown = names(all).includes(scope.store ?? '')
  if (folders.length === 0)
    throw new RejectedError(
      'no folder store is known yet; add one with `fonds fixity add <folder>`, or a bucket with `fonds fixity add s3://bucket`',
    )
  if (scope.store && !isKnown)
    throw new RejectedError(`there is no store ${scope.store}; there are ${names(all).join(', ')}`)
  if (scope.item && !scope.store && folders.length > 1)
    throw new RejectedError(`--item needs --store: there are ${names(folders).join(', ')}`)
  const wanted = folders.filter(({ store }) => !scope.store || store === scope.store)
  if (wanted.length === 0)
    throw new RejectedError(
      `store ${scope.store} is external: whoever reads it reports on the topic ${observationsTopic.name}`,
    )
  return names(wanted)
}

export const scopeIn = (store: string, { prefix, item }: CheckScope): Scope => ({
  store,
  ...((item || prefix) && {
    covers: (path: string) => (!item || path === item) && (!prefix || path.startsWith(prefix)),
  }),
  where: [
    is('store', store),
    is('removed', 0),
    ...(item ? [is('path', item)] : []),
    ...(prefix ? [{ column: 'path', is: 'prefix', value: prefix } as const] : []),
  ],
})

const summarise = (
  system: System,
  scopes: Scopes,
  asked: string,
  total: number,
): Omit<CheckSummary, 'away' | 'buckets' | 'estimated' | 'inventory' | keyof Attended> => {
  const soon = addMillis(system.clock.now(), SECOND)
  const all = kindsIn(system, scopes)
  const seen = kindsIn(system, scopes, { column: 'lastChecked', is: '>=', value: asked })
  const of = (state: State) => countIn(seen, (kind) => kind.state === state)
  const counts = {
    verified: of('verified'),
    baselined: of('baselined'),
    unread: of('unread'),
    failed: of('failed'),
    unverified: of('unverified'),
    accepted: of('accepted'),
    lost: of('lost'),
  }
  const heldBack = heldBackIn(system, scopes)
  const waiting = Math.max(0, pending(system, scopes, soon) - sum(heldBack.map(({ items }) => items)))
  const suspect = countIn(all, ({ state }) => state === 'suspect')
  const parked = countIn(all, (kind) => kind.parked === 1)
  return {
    total,
    checked: sum(Object.values(counts)),
    ...counts,
    suspect,
    links: countIn(seen, ({ link }) => link === 1),
    unusable: countIn(all, ({ unusable }) => unusable > 0),
    parked,
    ...wrongItems(system, scopes, asked, { ...counts, suspect, parked }),
    heldBack,
    waiting,
    waitingUntil: waiting > 0 ? lastDue(system, scopes, soon) : undefined,
  }
}

/** Returns all counts, in one pass: each pass reads every row in scope. */
const kindsIn = ({ viewStore }: System, scopes: Scopes, ...more: readonly ItemCondition[]) =>
  scopes.flatMap(({ where }) =>
    tally(viewStore, items, { by: ['state', 'link', 'unusable', 'parked'], where: [...where, ...more] }),
  )
type Kind = ReturnType<typeof kindsIn>[number]

const countIn = (kinds: readonly Kind[], isMeant: (kind: Kind) => boolean): number =>
  sum(kinds.filter(isMeant).map(({ count }) => count))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
