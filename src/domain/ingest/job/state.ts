import { ended, evolveClaims, goingOn, isClaimEvent, type StepClaims, unclaimed } from '../claim.ts'
import { isWorkState, type JobState, type WorkState } from '../transitions.ts'
import type { JobEvent } from './events.ts'
import type { JobChanges, JobFacts } from './facts.ts'

/** State for decisions about one job. */
export interface Job {
  readonly facts: JobFacts
  readonly state: JobState
  /** Null until a step after pending was done (C6). */
  readonly lastSuccessful: WorkState | null
  /** Number of resumes by a person. */
  readonly retries: number
  /** The state in which a failed job continues. */
  readonly failedIn?: WorkState
  /** It cannot be resumed. */
  readonly permanent: boolean
  /** Results of steps, the latest of each. */
  readonly found: JobChanges
  readonly priority: number
  readonly claims: StepClaims
  readonly cleaned: boolean
}

/** Undefined until it is created. */
export type JobOrNone = Job | undefined

export const evolve = (job: JobOrNone, event: JobEvent): JobOrNone => {
  if (event.type === 'JobCreated') return created(event.data)
  if (!job) return job
  if (isClaimEvent(event)) return { ...job, claims: evolveClaims(job.claims, event) }
  return event.type === 'JobMoved' ? moved(job, event.data) : { ...job, cleaned: true }
}

const created = ({ at: _, ...facts }: Extract<JobEvent, { type: 'JobCreated' }>['data']): Job => ({
  facts,
  state: 'pending',
  lastSuccessful: null,
  retries: 0,
  permanent: false,
  found: {},
  priority: facts.priority,
  claims: unclaimed,
  cleaned: false,
})

export type JobMoved = Extract<JobEvent, { type: 'JobMoved' }>['data']

const moved = (job: Job, move: JobMoved): Job => {
  const { failedIn: _, ...rest } = job
  const { from, to, changed = {} } = move
  const { site: _site, ...foundElsewhere } = job.found
  return {
    ...rest,
    state: to,
    lastSuccessful: lastSuccessfulAfter(job.lastSuccessful, move),
    retries: job.retries + (isResume(move) ? 1 : 0),
    ...(to === 'failed' && isWorkState(from) && { failedIn: from }),
    permanent: to === 'failed' && move.permanent === true,
    // Files that are downloaded again may be downloaded on any site.
    found: { ...(isResume(move) && to === 'downloading' ? foundElsewhere : job.found), ...changed },
    priority: changed.priority ?? job.priority,
    claims: keepsClaim(move) ? goingOn(job.claims) : ended(job.claims),
  }
}

/** True if a person resumed the job. */
export const isResume = ({ from, to }: Pick<JobMoved, 'from' | 'to'>): boolean =>
  from === 'failed' && isWorkState(to)

/** True for a step forward: the state it leaves is done. */
const isForward = ({ from, to }: Pick<JobMoved, 'from' | 'to'>): boolean =>
  isWorkState(from) && (isWorkState(to) || to === 'completed')

/** Initialising counts as nothing done yet (C6). */
export const lastSuccessfulAfter = (
  last: WorkState | null,
  move: Pick<JobMoved, 'from' | 'to'>,
): WorkState | null => (isForward(move) && move.from !== 'pending' ? (move.from as WorkState) : last)

/** A claim continues through the moves that its holder makes. Any other move ends it. */
export const keepsClaim = ({ to, fence, released }: JobMoved): boolean =>
  fence !== undefined && released !== true && isWorkState(to)

/** Returns the job's identifier: the one it was given later, else the depositor's. */
export const arkOf = ({ facts, found }: Job): string | undefined => found.ark ?? facts.primary
