import { type Claims, ended, evolveClaims, goingOn, isClaimEvent, unclaimed } from '../claim.ts'
import { isWorkState, type JobState, type WorkState } from '../transitions.ts'
import type { JobEvent } from './events.ts'
import type { JobChanges, JobFacts } from './facts.ts'

/** What decisions about one job need. */
export interface Job {
  readonly facts: JobFacts
  readonly state: JobState
  /** Null until a step behind pending was done (C6). */
  readonly lastSuccessful: WorkState | null
  /** Resumes by a person. */
  readonly retries: number
  /** Where a failed job goes on. */
  readonly failedIn?: WorkState
  /** It cannot go on. */
  readonly permanent: boolean
  /** What steps found out, the latest of each. */
  readonly found: JobChanges
  readonly priority: number
  readonly claims: Claims
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
    // What is brought again may be brought by anyone.
    found: { ...(isResume(move) && to === 'downloading' ? foundElsewhere : job.found), ...changed },
    priority: changed.priority ?? job.priority,
    claims: keepsClaim(move) ? goingOn(job.claims) : ended(job.claims),
  }
}

/** A person put it back to work. */
export const isResume = ({ from, to }: Pick<JobMoved, 'from' | 'to'>): boolean =>
  from === 'failed' && isWorkState(to)

/** A step forward: what it leaves behind is done. */
const isForward = ({ from, to }: Pick<JobMoved, 'from' | 'to'>): boolean =>
  isWorkState(from) && (isWorkState(to) || to === 'completed')

/** Initialising shows as nothing done yet (C6). */
export const lastSuccessfulAfter = (
  last: WorkState | null,
  move: Pick<JobMoved, 'from' | 'to'>,
): WorkState | null => (isForward(move) && move.from !== 'pending' ? (move.from as WorkState) : last)

/** A claim goes on over the moves that its holder makes. Any other move ends it. */
export const keepsClaim = ({ to, fence, released }: JobMoved): boolean =>
  fence !== undefined && released !== true && isWorkState(to)

/** The identifier that it has: what the depositor gave, or what it was given. */
export const arkOf = ({ facts, found }: Job): string | undefined => found.ark ?? facts.primary
