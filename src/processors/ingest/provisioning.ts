import type { Holds } from '../../domain/ingest/hold/decide.ts'
import type { JobTask } from '../../domain/ingest/tasks.ts'
import { jobs } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { holdsOn } from './holds.ts'
import { claimJob, type JobClaimDependencies, waitingJobs } from './job-claims.ts'
import { type Offered, takeInOrder } from './take-in-order.ts'
import { promisedBytes } from './volume-claim.ts'
import { createVolumeRight } from './volume-right.ts'

interface ProvisioningDependencies extends JobClaimDependencies {
  readonly viewStore: ViewStore
  /** Bytes of the work volume. */
  readonly room: () => Promise<{ readonly total: number; readonly used: number }>
  /** So much of it may be used. */
  readonly thresholdPercent: number
  /** What a job of unknown size counts as. */
  readonly unknownBytes: number
}

interface Need {
  /** Bytes. */
  readonly spaceNeeded: number
  readonly sizeKnown: boolean
}

type JobRow = RowOf<typeof jobs>

/** One that does not fit lets those behind it pass (reference ingest §4.3): so many are looked at in a round. */
const maxLookedAt = 1000

/** To ask the views for each of them at each job would take longer than the jobs. */
const maxKept = 200

/**
 * Gives out the room of the work volume, one process at a time (I25, I26): what is used, what was promised and what the job
 * needs stay within the threshold together.
 */
export const createProvisioning = (deps: ProvisioningDependencies) => {
  const { viewStore, clock, states, thresholdPercent, unknownBytes } = deps
  /** Given by this process, while the views do not show it yet. */
  const given = new Map<number, number>()
  const isShown = () => {
    forgetShown(given, viewStore)
    return given.size === 0
  }
  const right = createVolumeRight({ ...deps, isShown })
  const bytesOf = ({ spaceNeeded, sizeKnown }: Need) => (sizeKnown ? spaceNeeded : unknownBytes)

  /** Bytes that may still be given out. What the views show by now counts twice until it is forgotten. */
  const left = async (): Promise<number> => {
    const { total, used } = await deps.room()
    const own = given.values().reduce((sum, bytes) => sum + bytes, 0)
    return (total * thresholdPercent) / 100 - used - promisedBytes(viewStore, unknownBytes) - own
  }

  const leftExactly = (): Promise<number> => {
    forgetShown(given, viewStore)
    return left()
  }

  /** Nobody else is given what this one gets. */
  const give = async (job: number, need: Need): Promise<boolean> => {
    if (given.size >= maxKept) forgetShown(given, viewStore)
    given.set(job, bytesOf(need))
    if ((await left()) >= 0 || (await leftExactly()) >= 0) return true
    given.delete(job)
    return false
  }

  const claim = async (row: JobRow, holds: Holds): Promise<Offered<JobTask>> => {
    if (!(await give(row.job, needOf(row)))) return 'refused'
    const offered = await claimJob(row.job, 'provisioning', holds, deps)
    if (offered === 'lost' || offered === 'refused') given.delete(row.job)
    return offered
  }

  let room = 0
  const fitting = (limit: number): readonly JobRow[] => {
    let rest = room
    const waiting = waitingJobs(viewStore, 'provisioning', clock.now(), maxLookedAt)
    const those = waiting.filter((row) => {
      const bytes = bytesOf(needOf(row))
      if (given.has(row.job) || bytes > rest) return false
      rest -= bytes
      return true
    })
    return those.slice(0, limit)
  }

  const takeFitting = takeInOrder<JobRow, JobTask>({
    clock,
    waiting: fitting,
    nameOf: ({ job, fence, lastModified }) => `${job}/${fence ?? 0}/${lastModified}`,
    holds: (rows) =>
      holdsOn(
        states,
        rows.map(({ collection }) => collection),
      ),
    claim: (row, holds) => claim(row, holds.get(row.collection) ?? {}),
  })

  return {
    queue: {
      name: 'provisioning',
      take: async (limit: number) => {
        if (waitingJobs(viewStore, 'provisioning', clock.now(), 1).length === 0) return []
        if (!(await right.isOurs())) return []
        room = await leftExactly()
        return takeFitting(limit)
      },
      nextDue: async (): Promise<string | undefined> => undefined,
    },
    /** False: others wait for room, there is none, or another process gives it out. */
    mayGoOn: async (job: number, need: Need): Promise<boolean> => {
      const [other] = rowsIfFolded(viewStore, jobs, { where: [is('state', 'provisioning')], limit: 1 })
      return !other && (await right.isOurs()) && give(job, need)
    },
    stop: right.giveUp,
  }
}

const needOf = ({ spaceNeeded, sizeKnown }: JobRow): Need => ({ spaceNeeded, sizeKnown: sizeKnown === 1 })

/** What the views show as promised, or as over. */
const forgetShown = (given: Map<number, number>, viewStore: Pick<ViewStore, 'query'>): void => {
  for (const job of given.keys()) {
    const [row] = rowsIfFolded(viewStore, jobs, { where: [is('job', job)], limit: 1 })
    if (row && !notYet.has(row.state)) given.delete(job)
  }
}

const notYet: ReadonlySet<string> = new Set(['pending', 'estimating', 'provisioning'])
