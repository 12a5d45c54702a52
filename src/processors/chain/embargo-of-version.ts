import { text } from 'node:stream/consumers'
import { isLeft } from 'fp-ts/lib/Either.js'
import { UnavailableError } from '../../async/unavailable.ts'
import type { EmbargoWord } from '../../domain/kernel/embargo.ts'
import { embargoFile, embargoOfFile, maxEmbargoFileBytes } from '../../domain/kernel/embargo-file.ts'
import type { ObjectStore } from '../../ports/object-store.ts'

/**
 * Reads which embargo the files of a version say, in storage. A damaged one holds for ever, until a person looks at it. Throws
 * `UnavailableError` if storage does not answer.
 */
export const embargoIn =
  (objectStore: () => Promise<Pick<ObjectStore, 'read'>>) =>
  async (object: string, version: number): Promise<EmbargoWord> => {
    const found = await (await objectStore()).read(object, `producer/${embargoFile}`, version)()
    if (isLeft(found)) {
      if (found.left.kind === 'Unavailable') throw new UnavailableError(found.left.reason)
      return embargoOfFile('')
    }
    const file = found.right
    return embargoOfFile(file && (file.size <= maxEmbargoFileBytes ? await text(file.open()) : ''))
  }
