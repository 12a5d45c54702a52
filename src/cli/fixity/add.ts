import { basename } from 'node:path'
import { startRoles } from '../../app/roles.ts'
import { sealedActor } from '../../app/sealed-by.ts'
import type { System } from '../../app/system.ts'
import { waitUntilIdle } from '../../app/wait-until-idle.ts'
import { orThrow } from '../../async/unavailable.ts'
import { defined } from '../../domain/fixity/defined.ts'
import { contentTopic } from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, storeStream } from '../../domain/fixity/store/events.ts'
import { rootProblem } from '../../domain/fixity/store/root.ts'
import { items, standingIn, stores } from '../../domain/fixity/views.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { countRows, is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { BucketInventory } from '../../ports/bucket-inventory.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { attendance } from '../../workers/fixity/attendance.ts'
import { exclusionOf } from '../../workers/fixity/exclusion.ts'
import { findStore } from '../../workers/fixity/find-store.ts'
import { type Surveyed, survey } from '../../workers/fixity/survey.ts'
import { reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { createBagWatch } from '../../workflows/fixity/bags/bag-watch.ts'
import { judgeBags } from '../../workflows/fixity/bags/judge-bags.ts'
import { fixityContext } from '../../workflows/fixity/context.ts'
import { checksumsOf, knownFiles } from '../../workflows/fixity/known-checksums.ts'
import { type AddSummary, emptySummary, note } from '../../workflows/fixity/recording/add-counts.ts'
import { readFirst } from '../../workflows/fixity/recording/first-readings.ts'
import { type Move, movesIn, rowsOf } from '../../workflows/fixity/recording/moves.ts'
import { needsReading, reportOf } from '../../workflows/fixity/recording/report-surveyed.ts'
import { askCommand, RejectedError } from '../ask-command.ts'
import { rolesHere } from '../work-here.ts'
import { ignoredIn } from './ignored-in.ts'
import { listedBy } from './inventory.ts'
import { openHashPool } from './open-hash-pool.ts'
import { rootGiven } from './root-given.ts'
import { StoreAwayError } from './store-away-error.ts'

export interface AddOptions {
  readonly store?: string
  readonly intervalDays?: number
  readonly lagSeconds?: number
  readonly awaySeconds?: number
  readonly replica?: boolean
  /** In a day of UTC. */
  readonly bytesPerDay?: number
  /** Treatment of files that a later comparison finds. Absent: as it is; `ask` for a store that is not known yet. */
  readonly newFiles?: 'ask' | 'take-in' | 'off'
  /** Patterns of `exclusionOf`, in addition to those of the ignore file. */
  readonly exclude?: readonly string[]
  /** Removes the old names of moved files from the expected items. */
  readonly acceptMoves?: boolean
  /** Lists the bucket, in the place of its own listing. */
  readonly inventory?: BucketInventory | undefined
  readonly actor: string
}

const batchSize = 200

/** Records a folder tree, or what a bucket holds below a prefix: checksums come from manifests, or else from a first reading. Memory use is constant. */
export const addFolder = async (
  system: System,
  folder: string,
  given: AddOptions,
  onProgress: (step: { readonly items: number }) => void,
  signal: AbortSignal,
): Promise<AddSummary> => {
  const options = { ...given, actor: await sealedActor(system, given.actor) }
  const root = rootGiven(folder)
  const problem = rootProblem(root)
  if (problem) throw new RejectedError(`the root ${problem}`)
  const store = options.store ?? storeNameOf(root)
  await refuseIfAway(system, store, root, options.acceptMoves === true)
  const { inventory } = options
  const content = inventory?.content ?? system.adapters.fixity.openContent(root)
  const isExcluded = exclusionOf([...(options.exclude ?? []), ...(await ignoredIn(content, { store, root }))])
  await registerStore(system, store, root, options)
  const say = (line: string) => system.log.warn(line)
  const running = await startRoles(
    system,
    await rolesHere({ say }, system, ['processors', 'reactions', 'projections']),
  )
  const pool = openHashPool(system)
  try {
    await waitUntilIdle(system)
    const summary = emptySummary(store, root, inventory && listedBy(inventory))
    const knew = countRows(system.viewStore, items, is('store', store)) > 0
    const added = new Set<string>()
    const bagWatch = createBagWatch(system.clock)
    const listedAt = inventory?.createdAt ?? system.clock.now()
    let batch: Surveyed[] = []
    const flush = async () => {
      const files = knownFiles(system, store, batch)
      const known = checksumsOf(files)
      const toRead = batch.filter((found) => needsReading({ known, isExcluded }, found))
      const readings = await readFirst(system, { store, root, content, pool, signal }, toRead)
      const reports = batch.flatMap((found) => {
        const report = reportOf({ summary, readings, isExcluded, known }, found)
        bagWatch.see(found, files, report !== undefined)
        if (knew && report && found.kind === 'missing') added.add(found.path)
        return report ?? []
      })
      onProgress({ items: batch.length })
      batch = []
      if (reports.length > 0)
        await reportOnTopic(system, contentTopic, `fonds://add/${options.actor}`, reports)
      signal.throwIfAborted()
    }
    for await (const found of survey(content)) {
      batch.push(found)
      if (batch.length >= batchSize) await flush()
    }
    await flush()
    await waitUntilIdle(system)
    await judgeBags(system, { store, prefix: '', listed: bagWatch.bags, listedAt, actor: options.actor })
    const missing = knew ? await missingOf(system, content, store, added, inventory?.createdAt) : []
    const moves = movesIn(system.viewStore, store, missing, [])
    const moved = new Map(moves.map(({ from, to }) => [from, to]))
    for (const { path } of missing) {
      const to = moved.get(path)
      note(
        summary,
        path,
        to === undefined ? 'is recorded, and not there' : `is not there; ${to} has its bytes`,
      )
    }
    summary.absent = missing.length - moves.length
    if (options.acceptMoves) await acceptMoves(system, store, moves, options.actor)
    summary[options.acceptMoves ? 'acceptedMoves' : 'moved'] = moves.length
    return summary
  } finally {
    await pool.close()
    await running.stop()
  }
}

/**
 * Throws if none of a store's recorded items is found: its folder may be an empty mount point, or on another disk, so
 * its files are not recorded as new. Does not apply if all files were moved on purpose, or the store is declared lost.
 */
const refuseIfAway = async (
  system: System,
  store: string,
  root: string,
  areMovesAccepted: boolean,
): Promise<void> => {
  const known = rowsIfFolded(system.viewStore, stores, { where: [is('store', store)] })[0]
  if (known?.root !== root || standingIn(known, system.clock.now()).kind === 'gone') return
  const found = await findStore(fixityContext(system), store, root)
  if (found.isThere || (areMovesAccepted && found.content && !found.isEmpty)) return
  throw new StoreAwayError(`store ${store} is unavailable: ${found.why}; nothing was recorded`, store)
}

/** Returns recorded items that are missing. Items that this run recorded from a manifest are reported with it. */
const missingOf = async (
  { viewStore }: System,
  content: ContentStore,
  store: string,
  added: ReadonlySet<string>,
  asOf: string | undefined,
) => {
  const scope = { store, prefix: '', isExcluded: () => false, asOf }
  const { missing } = await attendance(viewStore, content, scope)
  return rowsOf(
    viewStore,
    store,
    missing.filter((path) => !added.has(path)),
  )
}

const acceptMoves = async (
  system: System,
  store: string,
  moves: readonly Move[],
  actor: string,
): Promise<void> => {
  const removals = moves.map(({ from, to }) => ({
    type: 'content.removed',
    data: { store, path: from, reason: `moved to ${to}` },
  }))
  for (let i = 0; i < removals.length; i += batchSize)
    await reportOnTopic(system, contentTopic, `fonds://add/${actor}`, removals.slice(i, i + batchSize))
  await waitUntilIdle(system)
}

/** A known store keeps its policy: `fixity.change-policy` changes that, with a reason. */
const registerStore = async (
  system: System,
  store: string,
  root: string,
  { actor, intervalDays, lagSeconds, awaySeconds, replica, bytesPerDay, newFiles }: AddOptions,
): Promise<void> => {
  const load = () => system.states.load(storeDecider, storeStream(store))
  const { state: known } = await orThrow(load, `store ${store} cannot be read`)
  const policy = {
    intervalDays: intervalDays ?? known?.policy.intervalDays ?? defaultPolicy.intervalDays,
    // Records of a folder come from here alone: none can be in flight elsewhere.
    lagSeconds: lagSeconds ?? known?.policy.lagSeconds ?? 0,
    replica: replica ?? known?.policy.replica ?? false,
    ...defined({
      awaySeconds: awaySeconds ?? known?.policy.awaySeconds,
      bytesPerDay: bytesPerDay ?? known?.policy.bytesPerDay,
      newFiles: newFiles ?? (known ? known.policy.newFiles : 'ask'),
      compareHours: known?.policy.compareHours,
    }),
  }
  const by = { actor, reason: `fonds fixity add ${root}` }
  await askCommand(system, 'fixity.register-store', { store, kind: 'folder', root, ...policy }, by)
}

/** Store name of a root: `/srv/My Archive` → `My-Archive`, `s3://archive/main` → `archive-main`. */
const storeNameOf = (root: string): string =>
  (isBucketAddress(root) ? root.slice('s3://'.length) : basename(root))
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '') || 'store'
