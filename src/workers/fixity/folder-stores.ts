import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import { withTimeout } from '../../async/with-timeout.ts'
import { itsRoot } from '../../domain/fixity/store/root.ts'
import { isAwayNews, isNews } from '../../domain/fixity/store/sightings.ts'
import { sightingsIn, standingIn, stores } from '../../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { findStore, type StoreFound } from './find-store.ts'

/** Whether a store's content is found on this machine, for publication. */
export interface Sighting {
  readonly store: string
  readonly isThere: boolean
  readonly why?: string
}

interface FolderStoresContext {
  readonly viewStore: ViewStore
  readonly clock: Clock
  readonly log: Logger
  readonly openContent: (root: string) => ContentStore
  /** This machine's name. */
  readonly place: string
  readonly publish: (sighting: Sighting) => Promise<void>
  /** A lookup that takes longer counts as not found: a network folder may never answer. */
  readonly patienceMillis: number
}

type StoreRow = RowOf<typeof stores>

interface Known {
  readonly root: string
  readonly found: StoreFound
  /** The content to check with, even if the store is unavailable. */
  readonly content: Pick<ContentStore, 'stat' | 'readsAtOnce'>
  /** By the monotonic clock: the last lookup is valid until then. */
  readonly until: number
}

/** Minimum time between lookups of a store that was not found; at least ten times the last lookup's duration. */
const pauseMillis = 10 * SECOND

/**
 * The folder stores that this machine can check. Workers on other machines check the others. A store not found here is
 * published as such; none of its items is claimed until it is found again, or its absence has become a finding.
 */
export const createFolderStores = (context: FolderStoresContext) => {
  const { viewStore, clock, log, place } = context
  const known = new Map<string, Known>()
  const searches = new Map<string, Promise<Known>>()

  const findNow = async ({ store, root }: StoreRow): Promise<Known> => {
    const before = known.get(store)
    const started = clock.monotonic()
    const witness = before?.found.isThere ? before.found.witness : undefined
    const found = await withTimeout(
      findStore(context, store, root ?? '', witness),
      context.patienceMillis,
      (): StoreFound => ({
        isThere: false,
        why: `${itsRoot(root ?? '')} does not answer`,
        isUnreadable: false,
        hasNoFolder: false,
        isEmpty: false,
      }),
      clock,
    )
    const now = clock.monotonic()
    const until = now + Math.max(pauseMillis, 10 * (now - started))
    const seen = { root: root ?? '', found, content: contentOf(found), until }
    known.set(store, seen)
    return seen
  }

  const publishNews = async (row: StoreRow, found: StoreFound): Promise<void> => {
    const { store, awaySeconds } = row
    const sightings = sightingsIn(row)
    const news = found.isThere
      ? isNews(sightings, place, clock.now(), awaySeconds)
      : isAwayNews(sightings, place, found.why)
    if (!news) return
    if (!found.isThere) log.warn({ store, root: row.root }, `the store is unavailable: ${found.why}`)
    try {
      await context.publish({ store, isThere: found.isThere, ...(!found.isThere && { why: found.why }) })
    } catch (error) {
      log.warn({ err: error, store }, "cannot report the store's location; retrying at the next poll")
    }
  }

  const findAndPublish = async (row: StoreRow): Promise<Known> => {
    const seen = await findNow(row)
    await publishNews(row, seen.found)
    return seen
  }

  /** Looks for the store, once for all concurrent callers, and publishes a change. */
  const seenNow = (row: StoreRow): Promise<Known> => {
    const underWay = searches.get(row.store)
    if (underWay) return underWay
    const search = findAndPublish(row).finally(() => searches.delete(row.store))
    searches.set(row.store, search)
    return search
  }

  const mayCheck = async (row: StoreRow): Promise<boolean> => {
    const last = known.get(row.store)
    const { words, goneAt } = sightingsIn(row)
    const isInDoubt = goneAt !== null || Object.keys(words).length > 0
    if (last?.root === row.root && last.found.isThere && !isInDoubt) return true
    const isRecent = last?.root === row.root && last.until > clock.monotonic()
    const { found } = isRecent ? last : await seenNow(row)
    return found.isThere || standingIn(row, clock.now()).kind === 'gone'
  }

  const rowOf = (store: string): StoreRow | undefined =>
    rowsIfFolded(viewStore, stores, { where: [is('store', store)] })[0]

  return {
    /** Returns the result of the last lookup of a store; undefined if there was none. */
    opened: (store: string) => known.get(store),
    /** Returns the names of the stores whose items may be claimed. */
    readable: async (): Promise<readonly string[]> => {
      // Before the first fold no store is known.
      const folders = rowsIfFolded(viewStore, stores, { where: [is('kind', 'folder')] })
      const may = await Promise.all(folders.map(mayCheck))
      return folders.filter((_, i) => may[i]).map(({ store }) => store)
    },
    /**
     * Whether missing or unreadable content is a finding: not while the store itself is unavailable. To be called
     * before it is reported.
     */
    isReportable: async (store: string): Promise<boolean> => {
      const row = rowOf(store)
      if (!row || standingIn(row, clock.now()).kind === 'gone') return true
      const last = known.get(store)
      if (last && !last.found.isThere && last.until > clock.monotonic()) return false
      return (await seenNow(row)).found.isThere
    },
  }
}

/** Answers NotFound for every path if the folder does not exist, Unreadable if it cannot be opened. */
const contentOf = (found: StoreFound): Pick<ContentStore, 'stat' | 'readsAtOnce'> => {
  if (found.isThere) return found.content
  if (found.content) return found.content
  const { hasNoFolder, why: reason } = found
  return {
    stat: (path) => TE.left(hasNoFolder ? { kind: 'NotFound', path } : { kind: 'Unreadable', path, reason }),
  }
}
