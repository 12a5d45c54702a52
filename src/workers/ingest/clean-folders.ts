import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import { batches, housekeeping, jobs } from '../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { addMillis, MINUTE } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UploadArea } from '../../ports/upload-area.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Report } from '../runtime/report-on-topic.ts'
import { removeUploads } from './clean-uploads.ts'
import { dropOf, dropsIn } from './submit/drop-area.ts'
import { removeBatchFolder, removeWorkFolders } from './work-folder.ts'

interface CleanerOptions {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  readonly log: Logger
  readonly send: (reports: readonly Report[]) => Promise<void>
  readonly home: string
  /** Uploads in the bucket of the storage root, while that is the archive's. */
  readonly uploads: () => Promise<UploadArea | undefined>
  readonly workFolder: string
  /** Sites of this process: it leaves work folders of other sites alone. */
  readonly sites: () => Promise<readonly string[]>
  /** Retention of the folders of completed jobs. */
  readonly keepMillis: number
  /** Removes what storage holds for ended jobs before their version. */
  readonly cleanStages: () => Promise<void>
  readonly onNewWork: (listener: () => void) => () => void
}

type JobRow = RowOf<typeof jobs>

const everyMillis = 10 * MINUTE
const soonMillis = 500
const pageSize = 100

/**
 * Deletes the work folders of ended jobs (I39): of completed ones after the retention, or on request; of deleted ones
 * at once. Their facts stay. Any number of processes may run it at a time.
 */
export const startCleaner = (options: CleanerOptions) => {
  const { clock, log, viewStore } = options
  const stopping = new AbortController()
  let running = Promise.resolve()
  let isDue = true
  /** The last request of a person that was seen. */
  let seen = ''
  let soon: NodeJS.Timeout | undefined

  const clean = async (): Promise<void> => {
    for (;;) {
      const page = removable(options, await options.sites()).slice(0, pageSize)
      for (const row of page) {
        if (stopping.signal.aborted) return
        await removeWorkFolders(options.workFolder, { ...row, fence: row.fence ?? 0 })
      }
      for (const batch of new Set(page.map(({ batch }) => batch))) await removeFoldersOf(batch, options)
      if (page.length > 0)
        await options.send(page.map(({ job }) => ({ type: 'folder.cleaned', data: { job } })))
      if (page.length < pageSize) {
        await removeAllUploads(options)
        return options.cleanStages()
      }
      // The views lag: the same rows would be returned again.
      await clock.sleep(1000, stopping.signal)
      if (stopping.signal.aborted) return
    }
  }

  const cleanIfDue = () => {
    if (stopping.signal.aborted || !isDue) return
    isDue = false
    running = running
      .then(clean)
      .catch((error: unknown) => log.warn({ err: error }, 'cannot remove work folders; retrying'))
  }
  const timer = setInterval(() => {
    isDue = true
    cleanIfDue()
  }, everyMillis).unref()
  const wordOfPeople = (): string => {
    const [request] = rowsIfFolded(viewStore, housekeeping, { where: [is('what', 'folders')], limit: 1 })
    const [deleted] = rowsIfFolded(viewStore, jobs, { where: [is('state', 'deleted')], limit: 1 })
    return `${request?.at ?? ''}/${deleted?.job ?? ''}`
  }
  const checkRequests = () => {
    soon = undefined
    try {
      const now = wordOfPeople()
      if (now === seen) return
      seen = now
      isDue = true
      cleanIfDue()
    } catch (error) {
      // A timer has no caller: unavailable views have no news, and must not end the process.
      if (!(error instanceof UnavailableError)) throw error
    }
  }
  // Views change many times a second.
  const stopListening = options.onNewWork(() => {
    soon ??= setTimeout(checkRequests, soonMillis).unref()
  })
  cleanIfDue()

  return {
    stop: async (): Promise<void> => {
      stopping.abort()
      clearInterval(timer)
      clearTimeout(soon)
      stopListening()
      await running
    },
  }
}

/** Uses index `ingest-jobs (folder, endedAt)`; deleted jobs are few. */
const removable = (
  { viewStore, clock, keepMillis }: CleanerOptions,
  sites: readonly string[],
): readonly JobRow[] => {
  const ours = { column: 'workSite', is: 'in', value: ['', ...sites] } as const
  const deleted = rowsIfFolded(viewStore, jobs, { where: [is('state', 'deleted'), ours], limit: pageSize })
  const [request] = rowsIfFolded(viewStore, housekeeping, { where: [is('what', 'folders')], limit: 1 })
  const aged = addMillis(clock.now(), -keepMillis)
  const before = request && request.before > aged ? request.before : aged
  const ended = rowsIfFolded(viewStore, jobs, {
    where: [is('folder', 1), ours, { column: 'endedAt', is: '<', value: before }],
    limit: pageSize,
  })
  return [...deleted, ...ended.filter(({ state }) => state === 'completed')]
}

const removeFoldersOf = async (batch: string, { home, workFolder, viewStore }: CleanerOptions) => {
  if (!(await removeBatchFolder(workFolder, batch))) return
  if (isOver(batch, viewStore)) await rm(dropOf(home, batch), { recursive: true, force: true })
}

/** Uploads are needed until no job can be resumed. */
const isOver = (batch: string, viewStore: CleanerOptions['viewStore']): boolean => {
  const [row] = rowsIfFolded(viewStore, batches, { where: [is('batch', batch)], limit: 1 })
  return row?.state === 'completed' || row?.state === 'deleted'
}

/** Over, and no node has a work folder of it. */
const isOverEverywhere = (batch: string, viewStore: CleanerOptions['viewStore']): boolean => {
  const where = [is('batch', batch), is('folder', 1)]
  return isOver(batch, viewStore) && rowsIfFolded(viewStore, jobs, { where, limit: 1 }).length === 0
}

const removeAllUploads = async (options: CleanerOptions): Promise<void> => {
  await removeDrops(options)
  const area = await options.uploads()
  const isOver = (batch: string) => isOverEverywhere(batch, options.viewStore)
  if (area) await removeUploads(area, { clock: options.clock, isOver })
}

/** Deletes uploads of this home, whichever node deleted the work folders. */
const removeDrops = async ({ home, viewStore }: CleanerOptions): Promise<void> => {
  for (const batch of await dropsIn(home))
    if (isOverEverywhere(batch, viewStore)) await rm(dropOf(home, batch), { recursive: true, force: true })
}
