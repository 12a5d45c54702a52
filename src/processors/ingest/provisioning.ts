import type { Holds } from '../../domain/ingest/hold/decide.ts'
import { promisedBytes, type RoomTerms, roomLeft, type Volume } from '../../domain/ingest/room.ts'
import type { JobTask } from '../../domain/ingest/tasks.ts'
import { jobs, orderOf } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { holdsOn } from './holds.ts'
import { claimJob, type JobClaimDependencies, waitingJobs } from './job-claims.ts'
import { type Offered, takeInOrder } from './take-in-order.ts'
import { createVolumeRight } from './volume-right.ts'

interface ProvisioningDependencies extends JobClaimDependencies, RoomTerms {
  readonly viewStore: ViewStore
  /** The site of the work folder. It is made where there is none. */
  readonly workSite: () => Promise<string>
  /** Bytes of the work volume. */
  readonly room: () => Promise<Volume>
}

interface Need {
  /** Bytes. */
  readonly spaceNeeded: number
  readonly sizeKnown: boolean
}

interface ClaimOf {
  readonly job: number
  readonly fence: number
}

interface Given {
  /** Of the claim under which it was given, or a lower one that this job never had. */
  readonly fence: number
  readonly bytes: number
}

type JobRow = RowOf<typeof jobs>

/** One that does not fit lets those behind it pass (reference ingest §4.3): so many are looked at in a round. */
const maxLookedAt = 1000

/** Where more wait, a job waits with them. */
const maxPassed = 100

/** To look anew at each of many small jobs, or to ask the views for each, would take longer than the jobs. */
const seenMillis = 50
const maxKept = 200

/** What was last seen of the volume, and of the views at that moment. */
interface Seen {
  /** By the monotonic clock. */
  readonly at: number
  /** Bytes, without what this process has given since. */
  readonly left: number
  readonly waiting: readonly JobRow[]
}

/**
 * Gives out the room of the work volume, one process at a time (I25, I26): what is used, what was promised and what the job
 * needs stay within the threshold together.
 */
export const createProvisioning = (deps: ProvisioningDependencies) => {
  const { viewStore, clock, states, unknownBytes } = deps
  /** By this process, while the views do not show it yet. */
  const given = new Map<number, Given>()
  const isShown = () => {
    forgetShown(given, viewStore)
    return given.size === 0
  }
  const right = createVolumeRight({ ...deps, isShown })
  const bytesOf = ({ spaceNeeded, sizeKnown }: Need) => (sizeKnown ? spaceNeeded : unknownBytes)

  let seen: Seen = { at: Number.NEGATIVE_INFINITY, left: 0, waiting: [] }
  let looking: Promise<void> | undefined

  /**
   * What was promised is read before the volume: files that come meanwhile count twice, and never not at all. Unless it is
   * done `exactly`, what the views show by now counts twice, too.
   */
  const look = (exactly = true): Promise<void> => {
    looking ??= (async () => {
      if (exactly) forgetShown(given, viewStore)
      const promised = promisedBytes(viewStore, deps, await deps.workSite())
      const waiting = waitingJobs(
        viewStore,
        'provisioning',
        (await deps.sites?.()) ?? [],
        clock.now(),
        maxPassed + 1,
      )
      seen = { at: clock.monotonic(), left: roomLeft(await deps.room(), deps, promised), waiting }
    })().finally(() => {
      looking = undefined
    })
    return looking
  }
  const lookLately = async () => {
    if (clock.monotonic() - seen.at > seenMillis) await look(given.size >= maxKept)
  }

  /** Bytes that may still be given out. */
  const left = (): number => seen.left - given.values().reduce((sum, { bytes }) => sum + bytes, 0)

  /** Nobody else is given what this one gets. */
  const give = async ({ job, fence }: ClaimOf, need: Need): Promise<boolean> => {
    given.set(job, { fence, bytes: bytesOf(need) })
    if (left() >= 0) return true
    await look()
    if (left() >= 0) return true
    given.delete(job)
    return false
  }

  /** It passes none that waits, comes before it, and fits. */
  const isNext = ({ job, priority }: ClaimOf & { readonly priority: number }, need: Need): boolean => {
    if (seen.waiting.length > maxPassed) return false
    const own = orderOf(priority, job)
    let rest = left()
    for (const row of seen.waiting) {
      const bytes = bytesOf(needOf(row))
      if (row.order < own && bytes <= rest && !given.has(row.job)) rest -= bytes
    }
    return bytesOf(need) <= rest
  }

  const claim = async (row: JobRow, holds: Holds): Promise<Offered<JobTask>> => {
    const { job, fence } = row
    if (!(await give({ job, fence: (fence ?? 0) + 1 }, needOf(row)))) return 'refused'
    const offered = await claimJob(job, 'provisioning', holds, deps)
    if (offered === 'lost' || offered === 'refused') given.delete(job)
    return offered
  }

  let room = 0
  let here: readonly string[] = []
  const lookForRoom = async () => {
    await look()
    room = left()
  }
  const fitting = (limit: number): readonly JobRow[] => {
    let rest = room
    const waiting = waitingJobs(viewStore, 'provisioning', here, clock.now(), maxLookedAt)
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
    holds: (rows) => holdsOn(states, rows),
    workOf: ({ job }) => `job/${job}`,
    claim: (row, holds) => claim(row, holds.get(row.collection) ?? {}),
  })

  return {
    queue: {
      name: 'provisioning',
      take: async (limit: number) => {
        here = (await deps.sites?.()) ?? []
        if (waitingJobs(viewStore, 'provisioning', here, clock.now(), 1).length === 0) return []
        if ((await deps.mayClaim?.()) === false) return []
        // The right is taken and given up in events: nobody asks for it while there is no room for any that waits.
        await lookForRoom()
        if (fitting(1).length === 0 || !(await right.isOurs())) return []
        await lookForRoom()
        return takeFitting(limit)
      },
      nextDue: async (): Promise<string | undefined> => undefined,
    },
    /** False: there is none, others that wait for it come before, or another process gives it out. */
    mayGoOn: async (claim: ClaimOf & { readonly priority: number }, need: Need): Promise<boolean> => {
      if (!(await right.isOurs())) return false
      await lookLately()
      return isNext(claim, need) && give(claim, need)
    },
    stop: right.giveUp,
  }
}

const needOf = ({ spaceNeeded, sizeKnown }: JobRow): Need => ({ spaceNeeded, sizeKnown: sizeKnown === 1 })

/** What the views show as promised or as over, and what came to nothing: its claim has ended, and the job is where it was. */
const forgetShown = (given: Map<number, Given>, viewStore: Pick<ViewStore, 'query'>): void => {
  for (const [job, { fence }] of given) {
    const [row] = rowsIfFolded(viewStore, jobs, { where: [is('job', job)], limit: 1 })
    if (!row) continue
    const hasEnded = row.holder === null && (row.fence ?? 0) >= fence
    if (hasEnded || !notYet.has(row.state)) given.delete(job)
  }
}

const notYet: ReadonlySet<string> = new Set(['pending', 'estimating', 'provisioning'])
