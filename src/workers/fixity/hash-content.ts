import type { AnyAlgorithm } from '@fonds/digests'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import type { ContentEntry, ContentFailure, ContentStore } from '../../ports/content-store.ts'
import { type MultiHash, multiHash } from './hash.ts'

/** Outcome of hashing one piece of content. */
export type HashOutcome =
  | {
      readonly status: 'read'
      readonly bytes: number
      /** The version that was read: differs from the requested one if the content changed meanwhile. */
      readonly version: string
      readonly checksums: readonly Checksum[]
      /** The storage's claims, as of these bytes; absent if it makes none. */
      readonly claims?: readonly Checksum[]
    }
  | { readonly status: 'missing' }
  /** It changed during every reading. */
  | { readonly status: 'changing' }
  | { readonly status: 'failed'; readonly error: string }
  /** This machine can read nothing at present: nothing is known of the content. */
  | { readonly status: 'machine'; readonly reason: string }
  /** The caller aborted it, or the pool was closed: nothing is known of the content. */
  | { readonly status: 'aborted' }

interface HashContent {
  readonly path: string
  readonly version?: string
  /** A function if they depend on the storage's entry. */
  readonly algorithms: readonly AnyAlgorithm[] | ((entry: ContentEntry) => readonly AnyAlgorithm[])
  readonly signal: AbortSignal
  /** Called after each chunk, with the bytes of this reading so far; the next chunk waits for it. */
  readonly onBytes: (bytes: number, chunk: number) => void | Promise<void>
}

/** Maximum number of restarts of a reading because the content changed. */
const maxRestarts = 3

/** Reads the content once, digesting it on the way. Memory does not grow with the content. */
export const hashContent = async (
  store: Pick<ContentStore, 'read'>,
  request: HashContent,
): Promise<HashOutcome> => {
  for (let restarts = 0; restarts <= maxRestarts; restarts++) {
    const { algorithms } = request
    let hash: MultiHash | undefined
    let bytes = 0
    const onEntry = async (entry: ContentEntry) => {
      hash = await multiHash(typeof algorithms === 'function' ? algorithms(entry) : algorithms)
    }
    // After a change, any version is accepted: the outcome names the one that was read.
    const version = restarts === 0 && request.version !== undefined ? { version: request.version } : {}
    const read = await store.read(request.path, { ...version, signal: request.signal, onEntry }, (chunk) => {
      hash?.update(chunk)
      bytes += chunk.length
      return request.onBytes(bytes, chunk.length)
    })()
    if (request.signal.aborted) return { status: 'aborted' }
    if (read._tag === 'Right') return { status: 'read', ...read.right, checksums: hash?.digest() ?? [] }
    if (read.left.kind !== 'Changed') return outcomeOf(read.left)
  }
  return { status: 'changing' }
}

const outcomeOf = (failure: Exclude<ContentFailure, { kind: 'Changed' }>): HashOutcome => {
  switch (failure.kind) {
    case 'NotFound':
      return { status: 'missing' }
    case 'Refused':
      return { status: 'failed', error: `refused: ${failure.reason}` }
    case 'Machine':
      return { status: 'machine', reason: failure.reason }
    case 'Unreadable':
      return { status: 'failed', error: `unreadable: ${failure.reason}` }
  }
}
