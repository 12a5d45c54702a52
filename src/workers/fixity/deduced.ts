import type { Checksum } from '../../domain/fixity/checksum.ts'
import { normalise } from '../../domain/fixity/checksum.ts'
import type { ContentObservation, StorageObservation } from '../../domain/fixity/messages.ts'

/** Recorded digests of one reading: bytes with the strong one are those bytes, and have the others, too. */
export interface Deduction {
  readonly strong: Checksum
  readonly others: readonly Checksum[]
}

/** Nobody makes two contents with one of these. */
const collisionFree: readonly string[] = ['sha-256', 'sha-512', 'sha-384']

/**
 * Returns what follows from one recorded digest. Undefined unless all were computed together, by a first reading, and
 * there are several of them.
 */
export const deductionOf = (checksums: readonly Checksum[]): Deduction | undefined => {
  const values = new Map<string, string>()
  for (const checksum of checksums) {
    const digest = checksum.basis === 'first-reading' ? normalise(checksum) : undefined
    if (!digest || (values.get(digest.algorithm) ?? digest.value) !== digest.value) return undefined
    values.set(digest.algorithm, digest.value)
  }
  const recorded = [...values].map(([algorithm, value]) => ({ algorithm, value }))
  const strong = recorded.find(({ algorithm }) => collisionFree.includes(algorithm))
  return strong && recorded.length > 1
    ? { strong, others: recorded.filter((one) => one !== strong) }
    : undefined
}

interface Observed {
  readonly content: ContentObservation
  readonly storage: StorageObservation
}

/**
 * Adds the other digests to an observation that computed the strong one alone. Undefined where they must be computed:
 * the bytes are other ones, or the storage claims another value.
 */
export const completed = (seen: Observed, { strong, others }: Deduction): Observed | undefined => {
  const { content, storage } = seen
  if (content.status !== 'read') return seen
  const isSame = content.checksums.some(
    ({ algorithm, value }) => algorithm === strong.algorithm && value === strong.value,
  )
  const claims = storage.status === 'present' ? storage.checksums : []
  const isClaimed = others.every(({ algorithm, value }) =>
    claims.every((claim) => {
      const claimed = normalise(claim)
      return claimed?.algorithm !== algorithm || claimed.value === value
    }),
  )
  return isSame && isClaimed
    ? { ...seen, content: { ...content, checksums: [...content.checksums, ...others] } }
    : undefined
}
