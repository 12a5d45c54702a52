import type { Item } from '../../domain/fixity/item.ts'
import type { ContentObservedMessage } from '../../domain/fixity/messages.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { examine, type Seen, type Wanted } from './examine.ts'
import type { HashPool } from './hash-pool.ts'

interface CheckJob extends Pick<Wanted, 'checksums'> {
  readonly item: Item
  readonly root: string
  readonly fence?: number
}

export interface CheckTools {
  readonly content: Pick<ContentStore, 'stat' | 'readsAtOnce'>
  readonly pool: HashPool
  readonly clock: Clock
  readonly worker: string
}

export interface Watch {
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/**
 * Checks one item: reads the storage's claims, and digests its bytes. Returns the message to report. Throws when
 * `signal` aborts: then there is nothing to report.
 */
export const check = async (
  { item, root, checksums, fence }: CheckJob,
  { clock, worker, ...tools }: CheckTools,
  watch: Watch,
): Promise<ContentObservedMessage> => {
  const seen = await examineInPool(root, { path: item.path, checksums }, tools, watch)
  return { ...item, ...seen, observedAt: clock.now(), worker, ...(fence !== undefined && { fence }) }
}

/** Throws when `signal` aborts. */
export const examineInPool = async (
  root: string,
  wanted: Wanted,
  { content, pool }: Pick<CheckTools, 'content' | 'pool'>,
  watch: Watch,
): Promise<Seen> => {
  const { path } = wanted
  const seen = await examine(content, wanted, (version, algorithms) =>
    pool.hash({ root, path, version, algorithms, ...watch }),
  )
  if (!seen) throw watch.signal.reason ?? new Error('the check was stopped')
  return seen
}

/** False if it may mean that the whole store is unavailable: missing or failed content. */
export const isSound = ({ content }: Pick<Seen, 'content'>): boolean =>
  content.status !== 'missing' && content.status !== 'failed'
