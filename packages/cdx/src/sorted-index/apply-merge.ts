import type { Holdings } from './lineage.ts'
import type { Manifest, Run } from './manifest.ts'
import type { Merged, MergedRun } from './merge-runs.ts'

export interface DoneMerge {
  readonly from: 'live' | 'removed'
  readonly inputs: readonly Run[]
  readonly level: number
  readonly name: string
  readonly removedName: string
  readonly merged: Merged
  /** Time in milliseconds. */
  readonly at: number
}

/**
 * Returns the manifest with the merged run in place of its inputs. Publications that ended during the merge
 * are ended in that run (indexing W33).
 */
export const applyMerge = (manifest: Manifest, holdings: Holdings, done: DoneMerge): Manifest => {
  const { from, inputs, level, name, removedName, merged, at } = done
  const taken = new Map(inputs.map((run) => [run.name, new Set(run.ended.map(([number]) => number))]))
  const endedSince = manifest.live.flatMap((run) =>
    run.ended.filter(([number]) => taken.get(run.name)?.has(number) === false),
  )
  const run = {
    ...toRun(name, level, merged.live, endedSince),
    ...(inputs.some(({ posted }) => posted) && { posted: true as const }),
  }
  const others = manifest[from].filter((other) => !taken.has(other.name))
  const hasFiles = merged.live.files > 0
  for (const [file, holding] of holdings)
    if (taken.has(holding.run)) holdings.set(file, { ...holding, run: name })
  return {
    ...manifest,
    // In place of the oldest: runs that were added meanwhile are newer.
    [from]: hasFiles ? [run, ...others] : others,
    ...(merged.removed && {
      removed: [...manifest.removed, toRun(removedName, level, merged.removed, [])],
    }),
    retired: [
      ...manifest.retired,
      ...inputs.map((input) => ({ name: input.name, at })),
      ...(hasFiles ? [] : [{ name, at }]),
    ],
  }
}

const toRun = (name: string, level: number, body: MergedRun, ended: Run['ended']): Run => ({
  name,
  level,
  ...body,
  ended,
})
