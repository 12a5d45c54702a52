import type { Run } from './manifest.ts'

export interface LevelSettings {
  /** Number of runs of a level that become one of the next. */
  readonly runsPerLevel: number
  /** Most runs that are merged at once: each has files open and a buffer. */
  readonly maxInputs: number
  /** Bytes from which on a run is never rewritten. */
  readonly frozenBytes: number
}

export interface MergePlan {
  readonly inputs: readonly Run[]
  /** The level of the merged run. */
  readonly level: number
}

/**
 * The next merge: the oldest runs of the lowest level that is full. Many waiting runs are merged at once,
 * into a run as many levels higher as step-by-step merges would reach: so a line is rewritten about log(runs)
 * times.
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

/** The next merge of all runs that are not frozen, in as many steps as it takes. */
export const nextMergeOfAll = (runs: readonly Run[], settings: LevelSettings): MergePlan | undefined => {
  const some = runs.filter((run) => !isFrozen(run, settings)).sort((a, b) => a.level - b.level)
  const [only] = some
  const isDone = some.length === 0 || (some.length === 1 && only?.ended.length === 0)
  return isDone ? undefined : planOf(some.slice(0, settings.maxInputs), settings)
}

/**
 * Merges of runs that were never merged, if so many wait that the manifest would grow by them. They are made
 * with the change that adds more.
 */
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
