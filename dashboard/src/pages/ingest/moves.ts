/** Where a job is; while it failed, the step in which. */
interface Job {
  readonly state: string
  readonly failedIn: string | null
  readonly lastSuccessfulStatus: string | null
}

interface Event {
  readonly type: string
  readonly position: string
  readonly recordedAt: string
  readonly data?: unknown
  readonly metadata: { readonly actor: string }
}

/** What a job goes through, in this order. */
const steps: readonly string[] = [
  'pending',
  'estimating',
  'provisioning',
  'downloading',
  'processing',
  'storing',
  'recording',
  'notify',
  'completed',
]

export type StepStanding = 'done' | 'here' | 'failed' | 'ahead'

/** Where each step of a job stands. A step is done only where the job came past it. */
export const standingsOf = ({ state, failedIn, lastSuccessfulStatus }: Job) => {
  const at = placeOf(state === 'held' ? 'pending' : state === 'failed' ? (failedIn ?? 'pending') : state)
  // What was deleted stands nowhere: it is known how far it came.
  const reached = at === -1 ? placeOf(lastSuccessfulStatus ?? '') + 1 : at
  return steps.map((step, place) => {
    const atThis: StepStanding = state === 'failed' ? 'failed' : state === 'deleted' ? 'ahead' : 'here'
    const standing: StepStanding = place < reached ? 'done' : place > reached ? 'ahead' : atThis
    return { step, standing: step === 'completed' && state === 'completed' ? ('done' as const) : standing }
  })
}

const placeOf = (state: string): number => steps.indexOf(state)

export interface Move {
  readonly position: string
  readonly at: string
  readonly from: string
  readonly to: string
  /** The row of the table of moves. */
  readonly cause: string
  readonly actor: string
  /** Why: the last lines of what failed, or a person's reason. */
  readonly says: string | undefined
}

/** The moves among the events of a job. */
export const movesIn = (events: readonly Event[]): readonly Move[] =>
  events
    .filter(({ type }) => type === 'JobMoved')
    .map(({ position, recordedAt, data, metadata }) => {
      const { from, to, cause, message } = (data ?? {}) as Readonly<Record<string, unknown>>
      return {
        position,
        at: recordedAt,
        from: String(from),
        to: String(to),
        cause: String(cause),
        actor: metadata.actor,
        says: typeof message === 'string' ? message : undefined,
      }
    })
