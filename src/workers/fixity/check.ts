import { isLeft } from 'fp-ts/lib/Either.js'
import { type Algorithm, type Checksum, isAlgorithm } from '../../domain/fixity/checksum.ts'
import type { Item } from '../../domain/fixity/item.ts'
import type {
  ContentObservation,
  ContentObservedMessage,
  StorageObservation,
} from '../../domain/fixity/messages.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import type { HashOutcome } from './hash-messages.ts'
import type { HashPool } from './hash-pool.ts'

export interface CheckJob {
  readonly item: Item
  readonly root: string
  /** What is recorded: its digests are the wanted ones. */
  readonly checksums: readonly Checksum[]
  readonly fence?: number
}

export interface CheckTools {
  readonly content: ContentStore
  readonly pool: HashPool
  readonly clock: Clock
  readonly worker: string
}

/** Digest to take where nothing that we can compute is recorded. */
export const baselineAlgorithm: Algorithm = 'sha-256'

export const wantedAlgorithms = (checksums: readonly Checksum[]): readonly Algorithm[] => {
  const known = [...new Set(checksums.map(({ algorithm }) => algorithm))].filter(isAlgorithm)
  return known.length > 0 ? known : [baselineAlgorithm]
}

/** Looks at one item: what the storage says of it, and what its bytes are. The message to report. */
export const check = async (
  job: CheckJob,
  tools: CheckTools,
  watch: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<ContentObservedMessage> => {
  const { item, root, checksums, fence } = job
  const { content, pool, clock, worker } = tools
  const said = await content.stat(item.path)()
  const observed = (what: ContentObservation, storage: StorageObservation): ContentObservedMessage => ({
    ...item,
    content: what,
    storage,
    observedAt: clock.now(),
    worker,
    ...(fence !== undefined && { fence }),
  })
  if (isLeft(said)) {
    if (said.left.kind === 'NotFound') return observed({ status: 'missing' }, { status: 'missing' })
    const error = 'reason' in said.left ? said.left.reason : `${said.left.kind}`
    return observed({ status: 'failed', error }, { status: 'missing' })
  }
  const { size, version, claims, modifiedAt } = said.right
  const storage: StorageObservation = { status: 'present', checksums: [...claims], size, version, modifiedAt }
  const outcome = await pool.hash({
    root,
    path: item.path,
    version,
    algorithms: wantedAlgorithms(checksums),
    ...watch,
  })
  if (outcome.status === 'aborted') throw watch.signal.reason ?? new Error('the check was stopped')
  return observed(asObservation(outcome), storage)
}

const asObservation = (outcome: Exclude<HashOutcome, { status: 'aborted' }>): ContentObservation => {
  switch (outcome.status) {
    case 'read':
      return { status: 'read', size: outcome.bytes, checksums: [...outcome.checksums] }
    case 'failed':
      return { status: 'failed', error: outcome.error }
    default:
      return { status: outcome.status }
  }
}
