import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { errorMessage } from '../../../async/errors.ts'
import { objects as objectRows } from '../../../domain/ingest/views.ts'
import { rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { MINUTE } from '../../../domain/kernel/time.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ObjectStore } from '../../../ports/object-store.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Report } from '../../runtime/report-on-topic.ts'
import type { StorageToCompare } from './compare-object.ts'
import { type ComparedPage, comparisons } from './compare-pages.ts'

interface WatchOptions extends Pick<StorageToCompare, 'knownObject'> {
  readonly objectStore: () => Promise<ObjectStore>
  /** Why nothing may be compared; undefined if the storage root is the archive's. */
  readonly refusal: () => Promise<string | undefined>
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly clock: Clock
  readonly log: Logger
  readonly send: (reports: readonly Report[]) => Promise<void>
  /** Objects that are compared each minute; 0: none. */
  readonly perMinute: number
}

/**
 * Compares storage, log and copies in turn, a page each minute, round after round. It begins at a random place, so that
 * nodes that restart often cover all objects, too.
 */
export const startStorageWatch = (options: WatchOptions): { stop(): Promise<void> } => {
  const { clock, log, perMinute } = options
  const stopping = new AbortController()
  let turn = 0
  let after = randomBytes(2).toString('hex')

  const compareOnce = async (): Promise<void> => {
    if (!hasStored(options.viewStore) || (await options.refusal()) !== undefined) return
    const page = await comparisons[turn]!(after, perMinute, {
      ...options,
      objects: await options.objectStore(),
    })
    await report(page, options)
    after = page.next ?? ''
    if (page.next === undefined) turn = (turn + 1) % comparisons.length
  }

  const run = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(MINUTE, stopping.signal)
      if (stopping.signal.aborted) return
      await compareOnce().catch((error: unknown) =>
        log.warn({ err: error }, `cannot compare storage with the log; retrying: ${errorMessage(error)}`),
      )
    }
  }
  const running = perMinute > 0 ? run() : Promise.resolve()

  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** A home without stored versions opens no storage. */
const hasStored = (viewStore: Pick<ViewStore, 'query'>): boolean =>
  rowsIfFolded(viewStore, objectRows, { where: [{ column: 'version', is: '>', value: 0 }], limit: 1 })
    .length > 0

const report = async ({ compared, nameless }: ComparedPage, { send, log }: WatchOptions): Promise<void> => {
  const reports = compared.flatMap(({ report }) => report ?? [])
  if (reports.length > 0) await send(reports)
  for (const place of nameless)
    log.warn({ place }, 'cannot tell which object this place in storage belongs to')
}
