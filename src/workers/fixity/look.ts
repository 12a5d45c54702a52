import type { Algorithm } from '@fonds/digests'
import * as E from 'fp-ts/lib/Either.js'
import { MachineFailure } from '../../async/machine-failure.ts'
import { type Checksum, normalise } from '../../domain/fixity/checksum.ts'
import type { ContentObservation, StorageObservation } from '../../domain/fixity/messages.ts'
import { digests } from '../../domain/fixity/witness.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { digestAtOnce } from './hash.ts'
import type { HashOutcome } from './hash-content.ts'

/** What is to be looked at. */
export interface Wanted {
  readonly path: string
  /** What is recorded: its digests are the wanted ones. */
  readonly checksums: readonly Checksum[]
}

/** What was seen: the bytes, and what the storage says, of the same moment. */
export interface Seen {
  readonly content: ContentObservation
  readonly storage: StorageObservation
}

/** Where no digest is recorded that we can compute. */
const baselineAlgorithm: Algorithm = 'sha-256'

export const wantedAlgorithms = (checksums: readonly Checksum[]): readonly Algorithm[] => {
  const [first] = checksums
  const only = checksums.length === 1 && first ? normalise(first)?.algorithm : undefined
  if (only) return [only]
  const named = checksums.flatMap((checksum) => normalise(checksum)?.algorithm ?? [])
  // Of an algorithm with two values it is told which one the bytes have, but that compares nothing.
  return [...new Set(digests({ checksums }).length > 0 ? named : [...named, baselineAlgorithm])]
}

/** Larger files are read chunk by chunk. */
const maxAtOnce = 256 * 1024

/** A small file in one go, in a thread that may block; undefined where it must be looked at step by step. */
export const lookNow = (
  store: Pick<ContentStore, 'readAtOnce'>,
  { path, checksums }: Wanted,
): Seen | undefined => {
  const whole = store.readAtOnce?.(path, maxAtOnce)
  if (!whole) return undefined
  const { entry, bytes } = whole
  const digests = digestAtOnce(wantedAlgorithms([...checksums, ...entry.claims]), bytes)
  return (
    digests && {
      content: { status: 'read', size: bytes.length, checksums: [...digests] },
      storage: present(entry),
    }
  )
}

/**
 * Has the bytes digested by one call of the storage, which tells its entry with them; undefined where `hash` was aborted. Whatever comes but
 * the bytes is looked at step by step, so that it is known which step failed.
 */
export const lookAtOnce = async (
  store: Pick<ContentStore, 'stat'>,
  wanted: Wanted,
  hash: (
    version: string | undefined,
    algorithms: Algorithms | ((entry: ContentEntry) => Algorithms),
  ) => Promise<HashOutcome>,
): Promise<Seen | undefined> => {
  let entry: ContentEntry | undefined
  const outcome = await hash(undefined, (found) => {
    entry = found
    return wantedAlgorithms([...wanted.checksums, ...found.claims])
  })
  if (outcome.status === 'aborted') return undefined
  if (outcome.status === 'machine') throw new MachineFailure(outcome.reason)
  if (outcome.status !== 'read' || !entry) return lookAt(store, wanted, hash)
  return { content: asObservation(outcome), storage: present(entry) }
}

type Algorithms = readonly Algorithm[]

/** Asks the storage, and has the bytes digested; undefined where `hash` was aborted. Throws `MachineFailure`. */
export const lookAt = async (
  store: Pick<ContentStore, 'stat'>,
  { path, checksums }: Wanted,
  hash: (version: string, algorithms: Algorithms) => Promise<HashOutcome>,
): Promise<Seen | undefined> => {
  const said = await store.stat(path)()
  if (E.isLeft(said)) return { content: withoutReading(said.left), storage: missing }
  const { version, claims } = said.right
  const outcome = await hash(version, wantedAlgorithms([...checksums, ...claims]))
  if (outcome.status === 'aborted') return undefined
  if (outcome.status === 'machine') throw new MachineFailure(outcome.reason)
  const isSame = outcome.status === 'read' ? outcome.version === version : outcome.status !== 'missing'
  if (isSame) return { content: asObservation(outcome), storage: present(said.right) }
  // The content changed since the storage was asked. It is asked again, so that both answers are of the same moment.
  const now = await store.stat(path)()
  if (E.isLeft(now))
    return {
      content: outcome.status === 'missing' ? withoutReading(now.left) : changing,
      storage: missing,
    }
  const isStill = outcome.status !== 'read' || outcome.version === now.right.version
  return { content: isStill ? asObservation(outcome) : changing, storage: present(now.right) }
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
