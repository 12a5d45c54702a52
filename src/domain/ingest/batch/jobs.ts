import { type Runs, runsOf } from '../runs.ts'

/*
 * The state of a batch's jobs: four bytes per job, so that a hundred thousand of them stay small. Each holds the
 * revision of the last noted move, plus one, above two bits for the job's end.
 */

/** State of a job in its batch. `open`: it has not ended, or was resumed. */
export const ends = ['open', 'completed', 'failed', 'deleted'] as const
export type EndOfJob = (typeof ends)[number]

export interface Jobs {
  readonly words: Uint32Array
  readonly counts: Readonly<Record<EndOfJob, number>>
}

export const newJobs = (count: number): Jobs => ({
  words: new Uint32Array(count),
  counts: { open: count, completed: 0, failed: 0, deleted: 0 },
})

export const endOf = ({ words }: Jobs, index: number): EndOfJob => ends[(words[index] ?? 0) & 3]!

/** -1: no move was noted. */
export const revisionOf = ({ words }: Jobs, index: number): number => ((words[index] ?? 0) >>> 2) - 1

export type Notes = Partial<Record<EndOfJob, readonly (readonly [index: number, revision: number])[]>>

/** Notes of older revisions than a job's last have no effect. */
export const noted = (jobs: Jobs, notes: Notes): Jobs => {
  const words = jobs.words.slice()
  const counts = { ...jobs.counts }
  for (const end of ends)
    for (const [index, revision] of notes[end] ?? []) {
      if (index >= words.length || revision <= (words[index]! >>> 2) - 1) continue
      counts[ends[words[index]! & 3]!]--
      counts[end]++
      words[index] = ((revision + 1) << 2) | ends.indexOf(end)
    }
  return { words, counts }
}

/** Returns the positions of the jobs with this end. */
export const jobsThat = (jobs: Jobs, end: EndOfJob): Runs => runsOf(placesOf(jobs, ends.indexOf(end)))

function* placesOf({ words }: Jobs, end: number): Generator<number> {
  for (let place = 0; place < words.length; place++) if ((words[place]! & 3) === end) yield place
}
