import * as E from 'fp-ts/lib/Either.js'
import { type Algorithm, type Checksum, normalise } from '../../domain/fixity/checksum.ts'
import type { Item } from '../../domain/fixity/item.ts'
import type {
  ContentObservation,
  ContentObservedMessage,
  StorageObservation,
} from '../../domain/fixity/messages.ts'
import { digests } from '../../domain/fixity/witness.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../ports/content-store.ts'
import type { HashOutcome } from './hash-messages.ts'
import type { HashPool } from './hash-pool.ts'

interface CheckJob {
  readonly item: Item
  readonly root: string
  /** What is recorded: its digests are the wanted ones. */
  readonly checksums: readonly Checksum[]
  readonly fence?: number
}

export interface CheckTools {
  readonly content: Pick<ContentStore, 'stat'>
  readonly pool: HashPool
  readonly clock: Clock
  readonly worker: string
}

/** Where no digest is recorded that we can compute. */
const baselineAlgorithm: Algorithm = 'sha-256'

export const wantedAlgorithms = (checksums: readonly Checksum[]): readonly Algorithm[] => {
  const named = checksums.flatMap((checksum) => normalise(checksum)?.algorithm ?? [])
  // Of an algorithm with two values it is told which one the bytes have, but that compares nothing.
  return [...new Set(digests({ checksums }).length > 0 ? named : [...named, baselineAlgorithm])]
}

/**
 * Checks one item: reads what the storage claims, and digests its bytes. Returns the message to report. Throws when
 * `signal` aborts: then there is nothing to report.
 */
export const check = async (
  job: CheckJob,
  tools: CheckTools,
  watch: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<ContentObservedMessage> => {
  const { item, root, checksums, fence } = job
  const { content, pool, clock, worker } = tools
  const observed = (what: ContentObservation, storage: StorageObservation): ContentObservedMessage => ({
    ...item,
    content: what,
    storage,
    observedAt: clock.now(),
    worker,
    ...(fence !== undefined && { fence }),
  })
  const said = await content.stat(item.path)()
  if (E.isLeft(said)) return observed(withoutReading(said.left), missing)
  const { version, claims } = said.right
  const outcome = await pool.hash({
    root,
    path: item.path,
    version,
    algorithms: wantedAlgorithms([...checksums, ...claims]),
    ...watch,
  })
  if (outcome.status === 'aborted') throw watch.signal.reason ?? new Error('the check was stopped')
  const isSame = outcome.status === 'read' ? outcome.version === version : outcome.status !== 'missing'
  if (isSame) return observed(asObservation(outcome), present(said.right))
  // The content changed since the storage was asked. It is asked again, so that both answers are of the same moment.
  const now = await content.stat(item.path)()
  if (E.isLeft(now))
    return observed(outcome.status === 'missing' ? withoutReading(now.left) : changing, missing)
  const isStill = outcome.status !== 'read' || outcome.version === now.right.version
  return observed(isStill ? asObservation(outcome) : changing, present(now.right))
}

const missing = { status: 'missing' } as const
const changing = { status: 'changing' } as const

const present = ({ size, version, claims, modifiedAt, isLink }: ContentEntry): StorageObservation => ({
  status: 'present',
  checksums: [...claims],
  size,
  version,
  modifiedAt,
  ...(isLink !== undefined && { isLink }),
})

const withoutReading = (failure: ContentFailure): ContentObservation => {
  if (failure.kind === 'NotFound') return missing
  if (failure.kind === 'Changed') return changing
  return { status: 'failed', error: failure.reason }
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
