import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { errorMessage } from '../../../async/errors.ts'
import { sightedMillis } from '../../../domain/ingest/drop/decide.ts'
import { defaultProfile } from '../../../domain/ingest/profile/profile.ts'
import { profiles } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { addMillis } from '../../../domain/kernel/time.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import { pollPlaces } from '../../runtime/poll-places.ts'
import type { RunningWorker } from '../../runtime/worker.ts'
import { folderVersions, listDrops, type Versions, wholeIn } from './drop-listing.ts'
import { type DropPlace, isWithin, parseDropPlaces } from './drop-places.ts'
import { createDropReports, dropOf } from './drop-reports.ts'
import { type DropTools, submitDrops } from './submit-drops.ts'

export interface DropWatchContext extends Omit<DropTools, 'source' | 'signal' | 'store'> {
  readonly config: {
    readonly ingestDrops?: string
    readonly ingestDropSeconds: number
    readonly ingestStorage: string
  }
  readonly log: Logger
  /** Opens what is below `s3://bucket/prefix`. */
  readonly openContent: (root: string) => ContentStore
}

interface Watched {
  readonly place: DropPlace
  readonly store: ContentStore
}

/**
 * Looks at the prefixes where depositors put things, on a schedule and when the storage notifies, and submits what is
 * whole. Any number may run:
 * submissions by two of them are one batch. Nothing is changed or deleted there. Without prefixes it does nothing.
 */
export const startDropWatch = (context: DropWatchContext): RunningWorker => {
  const { config, clock, log, openContent, viewStore } = context
  const name = `drops@${hostname()}/${process.pid}`
  const places = (parseDropPlaces(config.ingestDrops ?? '') ?? []).map((place) => ({
    place,
    store: openContent(place.address),
  }))
  const before = new Map<string, Versions>()
  const listedAt = new Map<string, string>()
  const source = `fonds://${name}`
  const report = createDropReports(context, source)

  /** Returns why something was not submitted. */
  const submitWhole = async (
    { place, store }: Watched,
    signal: AbortSignal,
    isEarly: boolean,
  ): Promise<string | undefined> => {
    const { profile, address } = place
    if (profile !== defaultProfile.name && !hasProfile(profile, viewStore))
      return `there is no profile ${profile}; set it on fonds.ingest.profiles, or name another in FONDS_INGEST_DROPS`
    if (isWithin(address, config.ingestStorage) || isWithin(config.ingestStorage, address))
      return `what was stored at ${config.ingestStorage} would be taken in again; name another prefix in FONDS_INGEST_DROPS`
    const found = await listDrops(store.list(), signal)
    // Two listings that follow each other at once say nothing of a folder that is still being filled.
    const whole = wholeIn(found, isEarly ? new Map() : (before.get(address) ?? new Map()))
    if (!isEarly) before.set(address, folderVersions(found))
    const tools = { ...context, store, source, signal }
    const { count, reasons } = await submitDrops(place, whole, tools)
    if (count > 0) log.info({ place: address, submitted: count }, 'dropped submissions were found')
    const unnamed = found.skipped.map(({ path, reason }) => `${path} cannot be taken in: ${reason}`)
    const [first, ...more] = [...reasons, ...unnamed]
    return first && more.length > 0 ? `${first} (and ${more.length} more)` : first
  }

  const poll = async (watched: Watched, signal: AbortSignal, isEarly: boolean) => {
    const { address } = watched.place
    listedAt.set(address, clock.now())
    try {
      await report(address, await submitWhole(watched, signal, isEarly))
    } catch (error) {
      if (!signal.aborted) await report(address, `${errorMessage(error)}; looking again later`)
    }
  }

  /** The storage notified of something, and all notifications that came with it are in. */
  const isDue = ({ place: { address } }: Watched): boolean => {
    const sightedAt = dropOf(viewStore, address)?.sightedAt
    if (!sightedAt) return false
    const due = addMillis(sightedAt, sightedMillis)
    return due <= clock.now() && (listedAt.get(address) ?? '') < due
  }
  return pollPlaces({
    name,
    places: () => places,
    seconds: () => config.ingestDropSeconds,
    clock,
    poll,
    isDue,
  })
}

const hasProfile = (profile: string, viewStore: DropWatchContext['viewStore']): boolean =>
  rowsIfFolded(viewStore, profiles, { where: [is('profile', profile)], limit: 1 }).length > 0
