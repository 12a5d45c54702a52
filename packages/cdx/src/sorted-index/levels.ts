import type { Run } from './manifest.ts'

export interface LevelSettings {
  /** As many runs of a level become one of the next. */
  readonly runsPerLevel: number
  /** Runs that are merged at once, at most: each has files open and a buffer. */
  readonly maxInputs: number
  /** A run of so many bytes is never rewritten. */
  readonly frozenBytes: number
}

export interface MergePlan {
  readonly inputs: readonly Run[]
  /** The level of the merged run. */
  readonly level: number
}

/**
 * What to merge next: the oldest of the lowest level that is full. Where many wait, many are merged at once, and what they become
 * is as many levels higher as it took to get there by steps: so a line is rewritten about log(runs) times.
 */
export const nextMerge = (runs: readonly Run[], settings: LevelSettings): MergePlan | undefined => {
  const levels = Map.groupBy(
    runs.filter((run) => !isFrozen(run, settings)),
    ({ level }) => level,
  )
  const full = [...levels].filter(([, some]) => some.length >= settings.runsPerLevel)
  const lowest = full.sort(([a], [b]) => a - b)[0]
  return lowest && planOf(lowest[1].slice(0, settings.maxInputs), settings)
}

/** All that are not frozen, in as many steps as it takes. */
export const nextMergeOfAll = (runs: readonly Run[], settings: LevelSettings): MergePlan | undefined => {
  const some = runs.filter((run) => !isFrozen(run, settings)).sort((a, b) => a.level - b.level)
  const [only] = some
  const isDone = some.length === 0 || (some.length === 1 && only?.ended.length === 0)
  return isDone ? undefined : planOf(some.slice(0, settings.maxInputs), settings)
}

/** Runs that were never merged, where so many wait that the manifest would grow by them: to be merged with the change that brings more. */
export const mergesOfMany = (runs: readonly Run[], settings: LevelSettings): readonly MergePlan[] => {
  const { maxInputs } = settings
  const some = runs.filter((run) => run.level === 0 && run.ended.length === 0 && !isFrozen(run, settings))
  return Array.from({ length: Math.floor(some.length / maxInputs) }, (_, i) =>
    planOf(some.slice(i * maxInputs, (i + 1) * maxInputs), settings),
  )
}

export const isFrozen = ({ bytes }: Run, { frozenBytes }: LevelSettings): boolean => bytes >= frozenBytes

const planOf = (inputs: readonly Run[], { runsPerLevel }: LevelSettings): MergePlan => {
  const steps = Math.floor(Math.log(inputs.length) / Math.log(runsPerLevel) + 1e-9)
  return { inputs, level: Math.max(...inputs.map(({ level }) => level)) + Math.max(1, steps) }
}
