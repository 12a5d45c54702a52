import { isLeft } from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../async/unavailable.ts'
import type { ObjectStore } from '../../ports/object-store.ts'

/**
 * Reads the SHA-256 of all files that a version has in storage. None if the version is damaged: nothing of what is held back may
 * then be shown for it. Throws `UnavailableError` if storage does not answer.
 */
export const carriedIn =
  (objectStore: () => Promise<Pick<ObjectStore, 'files'>>) =>
  async (object: string, version: number): Promise<ReadonlySet<string>> => {
    const found = await (await objectStore()).files(object, version)()
    if (!isLeft(found)) return new Set(found.right?.map(({ sha256 }) => sha256))
    if (found.left.kind === 'Unavailable') throw new UnavailableError(found.left.reason)
    return new Set()
  }
