import { type ClipSet, hasClip, isEmpty, noClips, withClips, withoutClips } from '../clip-set.ts'

/** Clips by their failures in a row in this episode: the set at n has those that failed more than n times. */
export type FailingPairs = readonly ClipSet[]

/** As many as `attempts` can be. A pair that failed more often is parked in any case, and counting costs memory. */
const maxCounted = 100

export const timesFailed = (failing: FailingPairs, clip: string): number => {
  const clean = failing.findIndex((set) => !hasClip(set, clip))
  return clean < 0 ? failing.length : clean
}

export const pairFailed = (failing: FailingPairs, clip: string): FailingPairs => {
  const failures = timesFailed(failing, clip)
  if (failures >= maxCounted) return failing
  const next = [...failing]
  next[failures] = withClips(failing[failures] ?? noClips, [clip])
  return next
}

export const pairDone = (failing: FailingPairs, clip: string): FailingPairs =>
  timesFailed(failing, clip) === 0
    ? failing
    : failing.map((set) => withoutClips(set, [clip])).filter((set) => !isEmpty(set))
