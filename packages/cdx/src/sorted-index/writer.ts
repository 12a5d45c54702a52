import { randomUUID } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { applyMerge, type DoneMerge } from './apply-merge.ts'
import { makeFolder } from './file-system.ts'
import type { IndexThreads } from './jobs.ts'
import { type LevelSettings, type MergePlan, mergesOfMany, nextMerge, nextMergeOfAll } from './levels.ts'
import { applyChanges, type Holdings, holdingsOf, setAside } from './lineage.ts'
import { applyVerified, forget, lostLinesOf, pruned, runsToVerify } from './losses.ts'
import { type Manifest, type Run, readManifest, WrittenRunShape, writeManifest } from './manifest.ts'
import { oneByOne } from './one-by-one.ts'
import { deleteRun, linesFile, readTable, suspectFile } from './run-files.ts'
import { deleteRetired, sweep } from './sweep.ts'
import type {
  HandChange,
  IndexChange,
  MergeOptions,
  MergeReport,
  RefusedChange,
  WrittenRun,
} from './types.ts'
import { takeWriterLock } from './writer-lock.ts'

export interface WriterSettings extends LevelSettings {
  /** Runs that were replaced stay so long for readers of other processes. */
  readonly graceMillis: number
  /** Runs that were written and never published stay so long. */
  readonly unpublishedMillis: number
  readonly now: () => number
}

interface WriterState {
  readonly manifest: Manifest
  readonly holdings: Holdings
}

interface Swap<A> {
  readonly manifest: Manifest
  readonly result: A
}

/** Changes the manifest, in one process at a time; the lock is taken when it is first needed, and kept. */
export const createWriter = (
  folder: string,
  threads: IndexThreads,
  settings: WriterSettings,
  isRead: (name: string) => boolean,
) => {
  const { graceMillis, unpublishedMillis, now } = settings
  const inOrder = oneByOne()
  const mergeInOrder = oneByOne()
  let release: (() => void) | undefined
  let state: WriterState | undefined
  /** Names of the inputs of `mergeDue`'s merge that is under way. */
  let merging: ReadonlySet<string> = new Set()

  const tableOf = (run: Run) => readTable(folder, run)

  const load = (): WriterState => {
    makeFolder(folder)
    const isNew = release === undefined
    release ??= takeWriterLock(folder)
    const manifest = readManifest(folder)
    if (isNew) sweep(folder, manifest, now(), unpublishedMillis)
    const holdings = holdingsOf(manifest.live, tableOf)
    for (const { publications } of manifest.losses ?? []) forget(holdings, publications)
    return { manifest, holdings }
  }

  /** A state that cannot be written is dropped: the manifest on disk is read again. */
  const swap = <A>(work: (state: WriterState) => Swap<A> | Promise<Swap<A>>) =>
    inOrder(async () => {
      state ??= load()
      try {
        const { manifest, result } = await work(state)
        if (manifest !== state.manifest) writeManifest(folder, manifest)
        state = { manifest, holdings: state.holdings }
        return result
      } catch (error) {
        state = undefined
        throw error
      }
    })

  const merged = async (from: 'live' | 'removed', { inputs, level }: MergePlan): Promise<DoneMerge> => {
    const name = `m-${randomUUID()}`
    const removedName = `m-${randomUUID()}`
    const job = { folder, inputs, live: name, ...(from === 'live' && { removed: removedName }) }
    const result = await threads.run({ kind: 'merge', merge: job })
    if (result.kind !== 'merged') throw new Error('the thread did another job')
    return { from, inputs, level, name, removedName, merged: result.merged, at: now() }
  }

  const merge = async (from: 'live' | 'removed', plan: MergePlan): Promise<number> => {
    const done = await merged(from, plan)
    await swap(({ manifest, holdings }) => ({
      manifest: applyMerge(manifest, holdings, done),
      result: undefined,
    }))
    return done.merged.live.bytes + (done.merged.removed?.bytes ?? 0)
  }

  /**
   * The manifest as it is to be written, merged where too many runs came at once: it is written at each change, so it must not grow
   * with what waits. A merge that fails is left to `mergeDue`, which says so. Runs that no manifest ever named can go at once.
   */
  const mergeMany = async (before: Manifest, after: Manifest, holdings: Holdings) => {
    const idle = after.live.filter(({ name }) => !merging.has(name))
    const plans = mergesOfMany(idle, settings)
    if (plans.length === 0) return { manifest: after, unneeded: [] }
    const named = new Set(before.live.map(({ name }) => name))
    const settled = await Promise.allSettled(plans.map((plan) => merged('live', plan)))
    const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const unneeded = done
      .flatMap(({ inputs }) => inputs.map(({ name }) => name))
      .filter((name) => !named.has(name))
    const gone = new Set(unneeded)
    const manifest = done.reduce((next, one) => applyMerge(next, holdings, one), after)
    return {
      manifest: { ...manifest, retired: manifest.retired.filter(({ name }) => !gone.has(name)) },
      unneeded,
    }
  }

  const lookThrough = async (run: Run): Promise<void> => {
    const result = await threads.run({ kind: 'verify', folder, run })
    if (result.kind !== 'verified') throw new Error('the thread did another job')
    await swap(({ manifest, holdings }) => {
      const still = [...manifest.live, ...manifest.removed].find(({ name }) => name === run.name)
      // Merged meanwhile: then all of it was read as well.
      if (!still) return { manifest, result: undefined }
      return {
        manifest: applyVerified(manifest, holdings, still, result.verified, tableOf, now()),
        result: undefined,
      }
    })
    rmSync(suspectFile(folder, run.name), { force: true })
  }

  /** A merge that comes upon damage is done again without it. */
  const mergeGood = async (from: 'live' | 'removed', plan: MergePlan): Promise<number | undefined> => {
    try {
      return await merge(from, plan)
    } catch (error) {
      const { damagedRun } = error as { readonly damagedRun?: string }
      const run = plan.inputs.find(({ name }) => name === damagedRun)
      if (!run) throw error
      await lookThrough(run)
      return undefined
    }
  }

  const mergeAll = async ({ all = false, signal }: MergeOptions): Promise<MergeReport> => {
    await swap(({ manifest }) => ({ manifest: setAside(manifest), result: undefined }))
    for (const run of runsToVerify(
      folder,
      await swap(({ manifest }) => ({ manifest, result: manifest })),
      now(),
    )) {
      signal?.throwIfAborted()
      await lookThrough(run)
    }
    let merges = 0
    let bytesWritten = 0
    const next = all ? nextMergeOfAll : nextMerge
    for (const from of ['live', 'removed'] as const)
      for (;;) {
        signal?.throwIfAborted()
        const plan = await swap(({ manifest }) => {
          const result = next(manifest[from], settings)
          merging = new Set(result?.inputs.map(({ name }) => name))
          return { manifest, result }
        })
        if (!plan) break
        const written = await mergeGood(from, plan)
        if (written === undefined) continue
        bytesWritten += written
        merges++
      }
    const lost = await swap(({ manifest: before, holdings }) => {
      sweep(folder, before, now(), unpublishedMillis)
      const manifest = pruned(deleteRetired(folder, before, now(), graceMillis, isRead), holdings, now())
      return { manifest, result: lostLinesOf(manifest) }
    })
    return { merges, bytesWritten, lost }
  }

  const change = async (
    changesAt: (manifest: Manifest) => readonly IndexChange[],
    isByHand: boolean,
  ): Promise<readonly RefusedChange[]> => {
    const { refused, unneeded } = await swap(async ({ manifest: before, holdings }) => {
      const why = (run: WrittenRun) => whyRefused(folder, run)
      const changed = applyChanges(before, holdings, changesAt(before), why, isByHand)
      const { manifest, unneeded } = await mergeMany(before, changed.manifest, holdings)
      return {
        manifest,
        result: { refused: changed.refused, unneeded: [...changed.unneeded, ...unneeded] },
      }
    })
    for (const name of unneeded) deleteRun(folder, name)
    return refused
  }

  return {
    change: (changes: readonly IndexChange[]): Promise<readonly RefusedChange[]> =>
      change(() => changes, false),
    changeByHand: (changes: readonly HandChange[]): Promise<readonly RefusedChange[]> =>
      change(({ position }) => changes.map((one) => ({ ...one, position: BigInt(position) })), true),
    /** While nothing is merged: the runs of the manifest stay. */
    whileStill: <A>(work: (manifest: Manifest) => Promise<A>): Promise<A> =>
      mergeInOrder(async () => work(await swap(({ manifest }) => ({ manifest, result: manifest })))),
    mergeDue: (options: MergeOptions): Promise<MergeReport> => mergeInOrder(() => mergeAll(options)),
    close: async () => {
      await mergeInOrder(async () => {})
      await inOrder(async () => {
        release?.()
        release = undefined
        state = undefined
      })
    },
  }
}

const whyRefused = (folder: string, run: WrittenRun): string | undefined => {
  if (!WrittenRunShape.is(run)) return 'it is not what a writer of runs gave'
  const found = statSync(linesFile(folder, run.name), { throwIfNoEntry: false })
  if (!found) return `its run ${run.name} is gone: have the lines written again`
  return found.size === run.bytes
    ? undefined
    : `its run ${run.name} has ${found.size} bytes instead of ${run.bytes}: have the lines written again`
}
