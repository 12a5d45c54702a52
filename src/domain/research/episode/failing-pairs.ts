import { type ClipSet, hasClip, isEmpty, noClips, withClips, withoutClips } from '../clip-set.ts'

/** Which clips failed in this episode, and how often in a row: the set at n holds those that failed more than n times. */
export type FailingPairs = readonly ClipSet[]

/** More than any policy asks for: beyond it a pair is parked whatever else comes, and counting costs memory. */
const mostCounted = 100

export const timesFailed = (failing: FailingPairs, clip: string): number => {
  const clean = failing.findIndex((set) => !hasClip(set, clip))
  return clean < 0 ? failing.length : clean
}

export const pairFailed = (failing: FailingPairs, clip: string): FailingPairs => {
  const failures = timesFailed(failing, clip)
  if (failures >= mostCounted) return failing
  const next = [...failing]
  next[failures] = withClips(failing[failures] ?? noClips, [clip])
  return next
}

export const pairDone = (failing: FailingPairs, clip: string): FailingPairs =>
  timesFailed(failing, clip) === 0
    ? failing
    : failing.map((set) => withoutClips(set, [clip])).filter((set) => !isEmpty(set))
