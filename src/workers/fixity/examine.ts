import { type Algorithm, type AnyAlgorithm, baseAlgorithm } from '@fonds/digests'
import * as E from 'fp-ts/lib/Either.js'
import { MachineFailure } from '../../async/machine-failure.ts'
import { type Checksum, normalise } from '../../domain/fixity/checksum.ts'
import type { ContentObservation, StorageObservation } from '../../domain/fixity/messages.ts'
import { digests } from '../../domain/fixity/witness.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { completed, deductionOf } from './deduced.ts'
import { digestAtOnce } from './hash.ts'
import type { HashOutcome } from './hash-content.ts'

/** A file to check. */
export interface Wanted {
  readonly path: string
  /** Recorded checksums: their algorithms are the ones to compute. */
  readonly checksums: readonly Checksum[]
  /** The storage may give no bytes of it: its entry is read first. */
  readonly mayBeArchived?: true
  /** Recorded checksums that need not be computed, also where the storage claims them. */
  readonly deduced?: readonly Checksum[]
}

/** An observation: the bytes and the storage's entry, as of the same moment. */
export interface Seen {
  readonly content: ContentObservation
  readonly storage: StorageObservation
}

/** Used if no digest is recorded that we can compute. */
const baselineAlgorithm: Algorithm = 'sha-256'

export const wantedAlgorithms = (checksums: readonly Checksum[]): readonly AnyAlgorithm[] => {
  const [first] = checksums
  const only = checksums.length === 1 && first ? normalise(first)?.algorithm : undefined
  if (only) return [only]
  const named = checksums.flatMap((checksum) => normalise(checksum)?.algorithm ?? [])
  // For an algorithm with two recorded values, the result names the one that the bytes have, but that compares nothing.
  return [...new Set(digests({ checksums }).length > 0 ? named : [...named, baselineAlgorithm])]
}

/** Algorithms of claims in order of preference: strong ones, and cheaper ones before MD5. */
const byPreference: readonly Algorithm[] = ['sha-256', 'crc64nvme', 'sha-1', 'md5', 'crc32c', 'crc32']

/**
 * Adds an algorithm by which the storage's claims can be compared, unless one of them is among those given. One is
 * enough: each further digest takes time from the reading.
 */
export const withClaimed = (
  algorithms: readonly AnyAlgorithm[],
  claims: readonly Checksum[],
  deduced: readonly Checksum[] = [],
): readonly AnyAlgorithm[] => {
  if (claims.length === 0) return algorithms
  const claimed = claims.flatMap((claim) => normalise(claim)?.algorithm ?? [])
  const isComparable = (algorithm: AnyAlgorithm) =>
    algorithms.includes(algorithm) || deduced.some((one) => one.algorithm === algorithm)
  if (claimed.some(isComparable)) return algorithms
  const rank = (algorithm: AnyAlgorithm): number => {
    const place = byPreference.indexOf(baseAlgorithm(algorithm) as Algorithm)
    return place < 0 ? byPreference.length : place
  }
  const [first] = claimed.toSorted((one, other) => rank(one) - rank(other))
  return first === undefined ? algorithms : [...algorithms, first]
}

/** Larger files are read chunk by chunk. */
const maxAtOnce = 256 * 1024

/**
 * Checks a small file in one call, in a thread that may block. Returns undefined if it must be checked step by step.
 */
export const examineNow = (
  store: Pick<ContentStore, 'readAtOnce'>,
  { path, checksums }: Wanted,
): Seen | undefined => {
  const whole = store.readAtOnce?.(path, maxAtOnce)
  if (!whole) return undefined
  const { entry, bytes } = whole
  const digests = digestAtOnce(withClaimed(wantedAlgorithms(checksums), entry.claims), bytes)
  return (
    digests && {
      content: { status: 'read', size: bytes.length, checksums: [...digests] },
      storage: present(entry),
    }
  )
}

/**
 * Digests the bytes by one call of the storage, which returns its entry with them. Returns undefined if `hash` was
 * aborted. Any outcome but the bytes is checked step by step, so that the step that failed is known.
 */
export const examineAtOnce = async (
  store: Pick<ContentStore, 'stat'>,
  wanted: Wanted,
  hash: (
    version: string | undefined,
    algorithms: Algorithms | ((entry: ContentEntry) => Algorithms),
  ) => Promise<HashOutcome>,
): Promise<Seen | undefined> => {
  // A request for archived bytes is refused, and its refusal tells nothing of them.
  if (wanted.mayBeArchived) return examine(store, wanted, hash)
  let entry: ContentEntry | undefined
  const outcome = await hash(undefined, (found) => {
    entry = found
    return withClaimed(wantedAlgorithms(wanted.checksums), found.claims, wanted.deduced)
  })
  if (outcome.status === 'aborted') return undefined
  if (outcome.status === 'machine') throw new MachineFailure(outcome.reason)
  if (outcome.status !== 'read' || !entry) return examine(store, wanted, hash)
  return { content: asObservation(outcome), storage: present(entry) }
}

/**
 * As `examineAtOnce`, without the digests that follow from a stronger one: each takes as long as that one, or longer. They
 * are computed, by another reading, where they do not follow.
 */
export const examineByStrongest = async (
  store: Pick<ContentStore, 'stat'>,
  wanted: Wanted,
  hash: Parameters<typeof examineAtOnce>[2],
): Promise<Seen | undefined> => {
  const deduction = deductionOf(wanted.checksums)
  if (!deduction) return examineAtOnce(store, wanted, hash)
  const { strong, others } = deduction
  const seen = await examineAtOnce(store, { ...wanted, checksums: [strong], deduced: others }, hash)
  return seen && (completed(seen, deduction) ?? examineAtOnce(store, wanted, hash))
}

type Algorithms = readonly AnyAlgorithm[]

/**
 * Reads the storage's entry, then digests the bytes. Returns undefined if `hash` was aborted. Throws `MachineFailure`.
 */
export const examine = async (
  store: Pick<ContentStore, 'stat'>,
  { path, checksums, deduced }: Wanted,
  hash: (version: string, algorithms: Algorithms) => Promise<HashOutcome>,
): Promise<Seen | undefined> => {
  const entry = await store.stat(path)()
  if (E.isLeft(entry)) return { content: withoutReading(entry.left), storage: absent(entry.left) }
  const { version, claims, archived } = entry.right
  if (archived !== undefined) return { content: notAttempted, storage: present(entry.right) }
  const outcome = await hash(version, withClaimed(wantedAlgorithms(checksums), claims, deduced))
  if (outcome.status === 'aborted') return undefined
  if (outcome.status === 'machine') throw new MachineFailure(outcome.reason)
  const isSame = outcome.status === 'read' ? outcome.version === version : outcome.status !== 'missing'
  if (isSame) return { content: asObservation(outcome), storage: present(entry.right, outcome) }
  // The content changed since the entry was read. It is read again, so that both observations are of the same moment.
  const now = await store.stat(path)()
  if (E.isLeft(now))
    return {
      content: outcome.status === 'missing' ? withoutReading(now.left) : changing,
      storage: absent(now.left),
    }
  const isStill = outcome.status !== 'read' || outcome.version === now.right.version
  return { content: isStill ? asObservation(outcome) : changing, storage: present(now.right, outcome) }
}

const missing = { status: 'missing' } as const
const changing = { status: 'changing' } as const
const notAttempted = { status: 'not-attempted' } as const

/** A reading may know more of what the storage claims than the entry does. */
const present = (
  { size, version, versionId, claims, modifiedAt, archived, isLink }: ContentEntry,
  outcome?: HashOutcome,
): StorageObservation => ({
  status: 'present',
  checksums: [...((outcome?.status === 'read' ? outcome.claims : undefined) ?? claims)],
  size,
  version,
  modifiedAt,
  ...(versionId !== undefined && { versionId }),
  ...(archived !== undefined && { archived }),
  ...(isLink !== undefined && { isLink }),
})

const absent = (failure: ContentFailure): StorageObservation =>
  failure.kind === 'NotFound' && failure.isMarked ? { ...missing, isMarked: true } : missing

const withoutReading = (failure: ContentFailure): ContentObservation => {
  if (failure.kind === 'NotFound') return missing
  if (failure.kind === 'Changed') return changing
  if (failure.kind === 'Machine') throw new MachineFailure(failure.reason)
  return { status: 'failed', error: failure.reason }
}

const asObservation = (
  outcome: Exclude<HashOutcome, { status: 'aborted' | 'machine' }>,
): ContentObservation => {
  switch (outcome.status) {
    case 'read':
      return { status: 'read', size: outcome.bytes, checksums: [...outcome.checksums] }
    case 'failed':
      return { status: 'failed', error: outcome.error }
    default:
      return { status: outcome.status }
  }
}
