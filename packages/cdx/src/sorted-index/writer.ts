import { statSync } from 'node:fs'
import { oneByOne } from '@fonds/toolbox'
import type { IndexThreads } from './jobs.ts'
import { applyChanges } from './lineage.ts'
import { type Manifest, WrittenRunShape } from './manifest.ts'
import { createManifestState } from './manifest-state.ts'
import { createMerges, type WriterSettings } from './merges.ts'
import { deleteRun, linesFile } from './run-files.ts'
import type {
  HandChange,
  IndexChange,
  MergeOptions,
  MergeReport,
  RefusedChange,
  WrittenRun,
} from './types.ts'

/** Changes the manifest, in one process at a time; the lock is taken when it is first needed, and kept. */
export const createWriter = (
  folder: string,
  threads: IndexThreads,
  settings: WriterSettings,
  isRead: (name: string) => boolean,
) => {
  const mergeInOrder = oneByOne()
  const state = createManifestState(folder, settings)
  const merges = createMerges({ folder, threads, settings, state, isRead })

  const change = async (
    changesAt: (manifest: Manifest) => readonly IndexChange[],
    isByHand: boolean,
  ): Promise<readonly RefusedChange[]> => {
    const { refused, unneeded } = await state.swap(async ({ manifest: before, holdings }) => {
      const why = (run: WrittenRun) => whyRefused(folder, run)
      const changed = applyChanges(before, holdings, changesAt(before), why, isByHand)
      const { manifest, unneeded } = await merges.mergeMany(before, changed.manifest, holdings)
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
    /** Runs `work` while nothing is merged, so that the runs of the manifest stay. */
    whileStill: <A>(work: (manifest: Manifest) => Promise<A>): Promise<A> =>
      mergeInOrder(async () => work(await state.read())),
    mergeDue: (options: MergeOptions): Promise<MergeReport> => mergeInOrder(() => merges.mergeDue(options)),
    close: async () => {
      await mergeInOrder(async () => {})
      await state.close()
    },
  }
}

const whyRefused = (folder: string, run: WrittenRun): string | undefined => {
  if (!WrittenRunShape.is(run)) return 'it is not what a writer of runs gave'
  const found = statSync(linesFile(folder, run.name), { throwIfNoEntry: false })
  if (!found) return `its run ${run.name} is missing: have the lines written again`
  return found.size === run.bytes
    ? undefined
    : `its run ${run.name} has ${found.size} bytes instead of ${run.bytes}: have the lines written again`
}
