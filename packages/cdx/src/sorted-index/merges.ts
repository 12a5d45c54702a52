import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { applyMerge, type DoneMerge } from './apply-merge.ts'
import type { IndexThreads } from './jobs.ts'
import { type LevelSettings, type MergePlan, mergesOfMany, nextMerge, nextMergeOfAll } from './levels.ts'
import { type Holdings, setAside } from './lineage.ts'
import { applyVerified, lostLinesOf, pruned, runsToVerify } from './losses.ts'
import type { Manifest, Run } from './manifest.ts'
import type { ManifestState } from './manifest-state.ts'
import { readTable, suspectFile } from './run-files.ts'
import { deleteRetired, sweep } from './sweep.ts'
import type { MergeOptions, MergeReport } from './types.ts'

export interface WriterSettings extends LevelSettings {
  /** Time for which replaced runs are kept for readers of other processes. */
  readonly graceMillis: number
  /** Time for which runs that were never published are kept. */
  readonly unpublishedMillis: number
  readonly now: () => number
}

interface MergeContext {
  readonly folder: string
  readonly threads: IndexThreads
  readonly settings: WriterSettings
  readonly state: ManifestState
  readonly isRead: (name: string) => boolean
}

/** The kind of runs that a merge combines. */
type Kind = 'live' | 'removed'

/** Merges the runs of one index. */
export const createMerges = (context: MergeContext) => {
  /** Names of the inputs of the merge that `mergeDue` has under way. */
  let merging: ReadonlySet<string> = new Set()
  const onPlan = (plan: MergePlan | undefined): void => {
    merging = new Set(plan?.inputs.map(({ name }) => name))
  }
  return {
    /**
     * Returns the manifest to write, with merges if too many runs were added at once. It is written at each
     * change, so it must not grow with the runs that wait. A failed merge is left to `mergeDue`, which
     * reports it.
     */
    mergeMany: (before: Manifest, after: Manifest, holdings: Holdings) =>
      mergeMany(context, merging, before, after, holdings),
    mergeDue: (options: MergeOptions): Promise<MergeReport> => mergeDue(context, onPlan, options),
  }
}

const mergeMany = async (
  context: MergeContext,
  merging: ReadonlySet<string>,
  before: Manifest,
  after: Manifest,
  holdings: Holdings,
) => {
  const idle = after.live.filter(({ name }) => !merging.has(name))
  const plans = mergesOfMany(idle, context.settings)
  if (plans.length === 0) return { manifest: after, unneeded: [] }
  // Runs that no manifest ever named can be deleted at once.
  const named = new Set(before.live.map(({ name }) => name))
  const results = await Promise.allSettled(plans.map((plan) => writeMerged(context, 'live', plan)))
  const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const unneeded = done
    .flatMap(({ inputs }) => inputs.map(({ name }) => name))
    .filter((name) => !named.has(name))
  const removed = new Set(unneeded)
  const manifest = done.reduce((next, one) => applyMerge(next, holdings, one), after)
  return {
    manifest: { ...manifest, retired: manifest.retired.filter(({ name }) => !removed.has(name)) },
    unneeded,
  }
}

/** Calls `onPlan` with each merge before it begins, and with undefined after the last one. */
const mergeDue = async (
  context: MergeContext,
  onPlan: (plan: MergePlan | undefined) => void,
  { all = false, signal }: MergeOptions,
): Promise<MergeReport> => {
  const { folder, settings, state } = context
  await state.swap(({ manifest }) => ({ manifest: setAside(manifest), result: undefined }))
  for (const run of runsToVerify(folder, await state.read(), settings.now())) {
    signal?.throwIfAborted()
    await verifyRun(context, run)
  }
  let merges = 0
  let bytesWritten = 0
  const next = all ? nextMergeOfAll : nextMerge
  for (const kind of ['live', 'removed'] as const)
    for (;;) {
      signal?.throwIfAborted()
      const plan = await state.swap(({ manifest }) => {
        const result = next(manifest[kind], settings)
        onPlan(result)
        return { manifest, result }
      })
      if (!plan) break
      const written = await mergeUnlessDamaged(context, kind, plan)
      if (written === undefined) continue
      bytesWritten += written
      merges++
    }
  return { merges, bytesWritten, lost: await deleteReplaced(context) }
}

/** Returns the bytes written; undefined if a run was damaged and verified: then it is merged again. */
const mergeUnlessDamaged = async (
  context: MergeContext,
  kind: Kind,
  plan: MergePlan,
): Promise<number | undefined> => {
  try {
    return await merge(context, kind, plan)
  } catch (error) {
    const { damagedRun } = error as { readonly damagedRun?: string }
    const run = plan.inputs.find(({ name }) => name === damagedRun)
    if (!run) throw error
    await verifyRun(context, run)
    return undefined
  }
}

/** Merges, and enters the result into the manifest. Returns the bytes written. */
const merge = async (context: MergeContext, kind: Kind, plan: MergePlan): Promise<number> => {
  const done = await writeMerged(context, kind, plan)
  await context.state.swap(({ manifest, holdings }) => ({
    manifest: applyMerge(manifest, holdings, done),
    result: undefined,
  }))
  return done.merged.live.bytes + (done.merged.removed?.bytes ?? 0)
}

const writeMerged = async (
  { folder, threads, settings }: MergeContext,
  from: Kind,
  { inputs, level }: MergePlan,
): Promise<DoneMerge> => {
  const name = `m-${randomUUID()}`
  const removedName = `m-${randomUUID()}`
  const job = { folder, inputs, live: name, ...(from === 'live' && { removed: removedName }) }
  const result = await threads.run({ kind: 'merge', merge: job })
  if (result.kind !== 'merged') throw new Error('the thread did another job')
  return { from, inputs, level, name, removedName, merged: result.merged, at: settings.now() }
}

/** Reads all of a run, and records its damage in the manifest. */
const verifyRun = async ({ folder, threads, settings, state }: MergeContext, run: Run): Promise<void> => {
  const result = await threads.run({ kind: 'verify', folder, run })
  if (result.kind !== 'verified') throw new Error('the thread did another job')
  const tableOf = (of: Run) => readTable(folder, of)
  await state.swap(({ manifest, holdings }) => {
    const still = [...manifest.live, ...manifest.removed].find(({ name }) => name === run.name)
    // Merged meanwhile: then all of it was read as well.
    if (!still) return { manifest, result: undefined }
    return {
      manifest: applyVerified(manifest, holdings, still, result.verified, tableOf, settings.now()),
      result: undefined,
    }
  })
  rmSync(suspectFile(folder, run.name), { force: true })
}

/** Deletes replaced runs that nobody reads any more. Returns the lines that were lost. */
const deleteReplaced = ({ folder, settings, state, isRead }: MergeContext) => {
  const { now, graceMillis, unpublishedMillis } = settings
  return state.swap(({ manifest: before, holdings }) => {
    sweep(folder, before, now(), unpublishedMillis)
    const manifest = pruned(deleteRetired(folder, before, now(), graceMillis, isRead), holdings, now())
    return { manifest, result: lostLinesOf(manifest) }
  })
}
