import type { Holds } from '../../domain/ingest/hold/decide.ts'
import {
  promisedBytes,
  type RoomTerms,
  roomLeft,
  type Volume,
  workBytesOf,
} from '../../domain/ingest/room.ts'
import type { JobTask } from '../../domain/ingest/tasks.ts'
import { jobs, orderOf } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis } from '../../domain/kernel/time.ts'
import type { TaskQueue } from '../../ports/task-queue.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Offered } from '../runtime/claim.ts'
import { claimQueue } from '../runtime/claim-queue.ts'
import { underHolds } from './claims.ts'
import { firstWaiting } from './first-waiting.ts'
import {
  claimJob,
  claimWithCare,
  type JobClaimDependencies,
  type JobRow,
  jobNames,
  jobsIn,
} from './job-claims.ts'
import { createVolumeRight, idleMillis } from './volume-right.ts'

interface ProvisioningDependencies extends JobClaimDependencies, RoomTerms {
  readonly viewStore: ViewStore
  /** The site of the work folder, created if there is none. */
  readonly workSite: () => Promise<string>
  /** Bytes of the work volume. */
  readonly room: () => Promise<Volume>
}

/** Bytes that a job needs; null: unknown. */
type Need = number | null

interface ClaimOf {
  readonly job: number
  readonly fence: number
}

interface Given {
  /** Fence of the claim under which it was given, or a lower one that this job never had. */
  readonly fence: number
  readonly bytes: number
}

/** Most jobs considered in a round: one that does not fit lets those behind it pass (reference ingest §4.3). */
const maxConsidered = 1000

/** If more jobs wait, a job waits with them. */
const maxPassed = 100

/**
 * Limits up to which a reading is reused: to read volume or views again for each of many small jobs would take longer
 * than the jobs.
 */
const seenMillis = 50
const maxKept = 200

/** The last reading of the volume, and of the views at that moment. */
interface Seen {
  /** By the monotonic clock. */
  readonly at: number
  /** Bytes, without what this process has given since. */
  readonly left: number
  readonly waiting: readonly JobRow[]
}

/**
 * Gives out the room of the work volume, one process at a time (I25, I26): used, promised and needed bytes together
 * stay within the threshold.
 */
export const createProvisioning = (deps: ProvisioningDependencies) => {
  const room = createRoomAccount(deps)
  const right = createVolumeRight({ ...deps, isShown: room.isShown })
  return {
    queue: createProvisioningQueue(deps, room, right.isOurs),
    /** False: there is no room, other waiting jobs come first, or another process gives it out. */
    mayGoOn: async (claim: ClaimOf & { readonly priority: number }, need: Need): Promise<boolean> => {
      if (!(await right.isOurs())) return false
      await room.refreshIfOld()
      return room.isNext(claim, need) && room.give(claim, need)
    },
    stop: right.giveUp,
  }
}

type RoomAccount = ReturnType<typeof createRoomAccount>

/** The room of the volume: the last reading, less what this process has given since. */
const createRoomAccount = (deps: ProvisioningDependencies) => {
  const { viewStore, clock, unknownBytes } = deps
  /** Room given by this process that the views do not show yet, by job. */
  const given = new Map<number, Given>()
  let seen: Seen = { at: Number.NEGATIVE_INFINITY, left: 0, waiting: [] }
  let refreshing: Promise<void> | undefined

  const bytesOf = (need: Need) => need ?? unknownBytes

  /**
   * Reads the promised bytes before the volume: files that arrive meanwhile count twice, rather than not at all. Unless
   * it is done `exactly`, room that the views show by now counts twice, too.
   */
  const refresh = (exactly = true): Promise<void> => {
    refreshing ??= (async () => {
      if (exactly) forgetShown(given, viewStore)
      seen = await seenNow(deps)
    })().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  /** Bytes that may still be given out. */
  const left = (): number => seen.left - given.values().reduce((sum, { bytes }) => sum + bytes, 0)

  return {
    refresh,
    refreshIfOld: async (): Promise<void> => {
      if (clock.monotonic() - seen.at > seenMillis) await refresh(given.size >= maxKept)
    },
    /** Those of these jobs, in their order, that fit. */
    fitting: (rows: readonly JobRow[]): readonly JobRow[] => {
      let rest = left()
      return rows.filter((row) => {
        const bytes = bytesOf(workBytesOf(row))
        if (given.has(row.job) || bytes > rest) return false
        rest -= bytes
        return true
      })
    },
    /** True if the views show all that was given. */
    isShown: (): boolean => {
      forgetShown(given, viewStore)
      return given.size === 0
    },
    /** Reserves room for a job: no other job gets it. False if there is not enough. */
    give: async ({ job, fence }: ClaimOf, need: Need): Promise<boolean> => {
      given.set(job, { fence, bytes: bytesOf(need) })
      if (left() >= 0) return true
      await refresh()
      if (left() >= 0) return true
      given.delete(job)
      return false
    },
    takeBack: (job: number): void => void given.delete(job),
    /** True if the job fits without passing a waiting one that comes before it and fits. False if too many wait. */
    isNext: ({ job, priority }: ClaimOf & { readonly priority: number }, need: Need): boolean => {
      if (seen.waiting.length > maxPassed) return false
      const own = orderOf(priority, job)
      let rest = left()
      for (const row of seen.waiting) {
        const bytes = bytesOf(workBytesOf(row))
        if (row.order < own && bytes <= rest && !given.has(row.job)) rest -= bytes
      }
      return bytesOf(need) <= rest
    },
  }
}

const seenNow = async (deps: ProvisioningDependencies): Promise<Seen> => {
  const { viewStore, clock } = deps
  const promised = promisedBytes(viewStore, deps, await deps.workSite())
  const waiting = firstWaiting(
    jobsIn(viewStore, 'provisioning'),
    await deps.sites?.(),
    clock.now(),
    maxPassed + 1,
  )
  return { at: clock.monotonic(), left: roomLeft(await deps.room(), deps, promised), waiting }
}

/** Queue of the jobs that wait for room and fit, in their order. */
const createProvisioningQueue = (
  deps: ProvisioningDependencies,
  room: RoomAccount,
  isOurs: () => Promise<boolean>,
): TaskQueue<JobTask> => {
  const { viewStore, clock, states } = deps
  /** When to ask again for the right, which another process has: its release changes no view of jobs. */
  let askAgainAt: string | undefined

  const waiting = async (limit: number): Promise<readonly JobRow[]> => {
    const here = await deps.sites?.()
    askAgainAt = undefined
    const first = (most: number) => firstWaiting(jobsIn(viewStore, 'provisioning'), here, clock.now(), most)
    const fitting = async (most: number): Promise<readonly JobRow[]> => {
      await room.refresh()
      return room.fitting(first(maxConsidered)).slice(0, most)
    }
    if (first(1).length === 0) return []
    if ((await deps.mayClaim?.()) === false) return []
    // The right is taken and given up in events: it is not requested while no waiting job fits.
    if ((await fitting(1)).length === 0) return []
    if (await isOurs()) return fitting(limit)
    askAgainAt = addMillis(clock.now(), idleMillis)
    return []
  }

  return claimQueue({
    ...jobNames,
    name: 'provisioning',
    clock,
    waiting,
    nextDue: async () => askAgainAt,
    claimer: underHolds(states, (row: JobRow, holds) =>
      claimWithCare(row, deps, () => claimWithRoom(row, holds, deps, room)),
    ),
  })
}

const claimWithRoom = async (
  row: JobRow,
  holds: Holds,
  deps: JobClaimDependencies,
  room: RoomAccount,
): Promise<Offered<JobTask>> => {
  const { job, fence } = row
  if (!(await room.give({ job, fence: (fence ?? 0) + 1 }, workBytesOf(row)))) return 'refused'
  const offered = await claimJob(job, 'provisioning', holds, deps)
  if (offered === 'lost' || offered === 'refused') room.takeBack(job)
  return offered
}

/** Forgets room that the views show as promised or as over, and room of a claim that ended without moving the job. */
const forgetShown = (given: Map<number, Given>, viewStore: Pick<ViewStore, 'query'>): void => {
  for (const [job, { fence }] of given) {
    const [row] = rowsIfFolded(viewStore, jobs, { where: [is('job', job)], limit: 1 })
    if (!row) continue
    const hasEnded = row.holder === null && (row.fence ?? 0) >= fence
    if (hasEnded || !notYet.has(row.state)) given.delete(job)
  }
}

const notYet: ReadonlySet<string> = new Set(['pending', 'estimating', 'provisioning'])
